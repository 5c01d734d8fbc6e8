package dev.millrace.cli.deploy;

import dev.millrace.MillraceException;
import dev.millrace.cli.CliCommand;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.text.JsonText;
import dev.millrace.deploy.stack.FunctionCode;
import dev.millrace.deploy.stack.StackClient;
import dev.millrace.deploy.stack.StackDeployer;
import dev.millrace.deploy.stack.StackView;
import dev.millrace.deploy.template.StackParameter;
import dev.millrace.deploy.template.StackTemplate;
import dev.millrace.dynamodb.admin.TableAdmin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.s3.S3Client;

/** Makes the stack or changes it; every parameter of the template is an option. */
@Command(
    name = "deploy",
    sortOptions = false,
    description = {
      "Makes the stack, or changes it when there is one.",
      "A parameter that is not named keeps the value that it has."
    },
    footer = {
      "%nExamples:",
      "  millrace deploy --code-bucket my-code --table-name limits --wait",
      "  millrace deploy --enable-aggregator false --deletion-protection true --wait",
      "  millrace deploy --log-retention-days 90        # changes that, and nothing else"
    })
public final class DeployCommand extends CliCommand implements ExtraCommand, Callable<Integer> {
  private static final String CODE_BUCKET = "CodeBucket";
  private static final String CODE_KEY = "CodeKey";
  private static final String TABLE_NAME = "TableName";
  private static final int MAX_TAGS = 45; // CloudFormation takes 50, and adds its own

  private final StackTemplate template = StackTemplate.load();

  @Mixin private final StackOptions stack = new StackOptions();
  @Mixin private final AwsOptions aws = new AwsOptions();

  @Option(
      names = {"-t", "--tag"},
      paramLabel = "KEY=VALUE",
      description = "A tag of everything in the stack; may be repeated.")
  private Map<String, String> tags = new LinkedHashMap<>();

  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description = {
        "The functions' jar, put into --code-bucket under its digest when --code-key is not given",
        "(default: the one of this checkout)."
      })
  private @Nullable Path jar;

  /** The command with an option for each parameter. */
  @Override
  public CommandLine command() {
    CommandLine line = new CommandLine(this);
    for (StackParameter parameter : template.parameters()) {
      line.getCommandSpec().addOption(option(parameter));
    }
    return line;
  }

  private static OptionSpec option(StackParameter parameter) {
    String allowed =
        parameter.allowed().isEmpty() ? "" : " One of " + String.join(", ", parameter.allowed());
    String otherwise =
        parameter.defaultValue().isEmpty() ? "" : " (default: " + parameter.defaultValue() + ")";
    return OptionSpec.builder(parameter.option())
        .type(String.class)
        .paramLabel("VALUE")
        .description(parameter.description() + allowed + otherwise)
        .build();
  }

  @Override
  public Integer call() {
    Map<String, String> given = given();
    requireTags();
    try (CloudFormationClient client = aws.cloudFormation()) {
      StackClient stacks = new StackClient(client);
      putCode(given);
      StackDeployer.Outcome outcome =
          stack
              .deployer(stacks, spec().commandLine().getErr())
              .deploy(stack.name(), template, given, tags, stack.waits());
      StackView now = stacks.find(stack.name()).orElseThrow();
      if (stack.waits()) {
        writeVersion(now.parameters().getOrDefault(TABLE_NAME, ""));
      }
      report(outcome, now);
      return ExitCodes.DONE;
    }
  }

  private Map<String, String> given() {
    Map<String, String> given = new LinkedHashMap<>();
    for (StackParameter parameter : template.parameters()) {
      String value =
          spec().commandLine().getParseResult().matchedOptionValue(parameter.option(), "");
      if (spec().commandLine().getParseResult().hasMatchedOption(parameter.option())) {
        if (!parameter.allowed().isEmpty() && !parameter.allowed().contains(value)) {
          throw wrongUsage(
              "%s '%s' is none of %s".formatted(parameter.option(), value, parameter.allowed()));
        }
        given.put(parameter.name(), value);
      }
    }
    return given;
  }

  private void requireTags() {
    if (tags.size() > MAX_TAGS) {
      throw wrongUsage("%d tags; at most %d".formatted(tags.size(), MAX_TAGS));
    }
    for (String key : tags.keySet()) {
      if (key.isBlank() || key.toLowerCase(Locale.ROOT).startsWith("aws:")) {
        throw wrongUsage("--tag '" + key + "': tags neither are empty nor begin with aws:");
      }
    }
  }

  private void putCode(Map<String, String> given) {
    String bucket = given.get(CODE_BUCKET);
    if (bucket == null || bucket.isEmpty() || given.containsKey(CODE_KEY)) {
      return;
    }
    try (S3Client s3 = aws.s3()) {
      given.put(CODE_KEY, FunctionCode.put(s3, bucket, jar == null ? FunctionCode.built() : jar));
    }
  }

  /** CloudFormation makes the table; what it holds first is the version of its schema. */
  private void writeVersion(String table) {
    try (DynamoDbClient dynamo = aws.dynamo()) {
      boolean unused = TableAdmin.of(dynamo, table).createIfMissing();
    } catch (SdkException e) {
      throw new MillraceException(
          "the stack is made, but its table cannot be told its version",
          Map.of("table", table, "reason", String.valueOf(e.getMessage()), "todo", "deploy again"),
          e);
    }
  }

  private void report(StackDeployer.Outcome outcome, StackView now) {
    String result = outcome.name().toLowerCase(Locale.ROOT);
    List<String> lines = new ArrayList<>();
    lines.add("Stack " + now.name() + ": " + result + ", " + now.status());
    now.outputs().forEach((name, value) -> lines.add("  " + name + "  " + value));
    output(stack.json())
        .one(
            JsonText.object(
                "stack", now.name(),
                "result", result,
                "status", now.status(),
                "outputs", now.outputs()),
            () -> lines);
  }
}
