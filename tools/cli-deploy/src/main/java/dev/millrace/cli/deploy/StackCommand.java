package dev.millrace.cli.deploy;

import dev.millrace.cli.CommandGroup;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.text.JsonText;
import dev.millrace.deploy.stack.StackClient;
import dev.millrace.deploy.stack.StackDeployer;
import dev.millrace.deploy.stack.StackView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;

/** Shows stacks. */
@Command(name = "stack", description = "Shows the stacks that 'deploy' made.")
public final class StackCommand extends CommandGroup implements ExtraCommand {
  @Command(name = "status", description = "Shows one stack: its state, parameters and outputs.")
  int status(
      @Option(names = "--stack-name", defaultValue = "millrace", description = "The stack.")
          String name,
      @Option(names = "--json", description = "Print one JSON object.") boolean json,
      @Mixin AwsOptions aws) {
    try (CloudFormationClient client = aws.cloudFormation()) {
      Optional<StackView> found = new StackClient(client).find(name);
      if (found.isEmpty()) {
        spec()
            .commandLine()
            .getErr()
            .println("millrace: there is no stack " + name + "; 'millrace stack list' shows all");
        return ExitCodes.NOT_FOUND;
      }
      StackView stack = found.get();
      List<String> lines = new ArrayList<>();
      lines.add("Stack " + stack.name() + ": " + stack.status() + " " + stack.reason());
      add(lines, "parameters", stack.parameters());
      add(lines, "outputs", stack.outputs());
      add(lines, "tags", stack.tags());
      return output(json).one(json(stack), () -> lines);
    }
  }

  @Command(name = "list", description = "Lists all stacks of the region that 'deploy' made.")
  int list(
      @Option(names = "--json", description = "Print a JSON object for each.") boolean json,
      @Mixin AwsOptions aws) {
    try (CloudFormationClient client = aws.cloudFormation()) {
      for (StackView stack : new StackClient(client).list(StackDeployer.OWN_TAG)) {
        String line = "%-40s %s".formatted(stack.name(), stack.status());
        output(json).one(json(stack), () -> List.of(line));
      }
    }
    return ExitCodes.DONE;
  }

  private static void add(List<String> lines, String title, Map<String, String> values) {
    lines.add(title + ":");
    values.forEach((name, value) -> lines.add("  %-28s %s".formatted(name, value)));
  }

  private static Map<String, @Nullable Object> json(StackView stack) {
    return JsonText.object(
        "stack", stack.name(),
        "id", stack.id(),
        "status", stack.status(),
        "healthy", stack.isHealthy(),
        "reason", stack.reason(),
        "parameters", stack.parameters(),
        "outputs", stack.outputs(),
        "tags", stack.tags());
  }
}
