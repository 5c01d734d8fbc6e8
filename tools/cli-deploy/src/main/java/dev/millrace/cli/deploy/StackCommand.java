package dev.millrace.cli.deploy;

import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.HelpOption;
import dev.millrace.deploy.stack.AwsStacks;
import dev.millrace.deploy.stack.Deployment;
import dev.millrace.deploy.stack.StackView;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;

/** Shows stacks. */
@Command(name = "stack", description = "Shows the stacks that 'deploy' made.")
public final class StackCommand implements ExtraCommand, Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command: status or list");
  }

  @Command(name = "status", description = "Shows one stack: its state, parameters and outputs.")
  int status(
      @Option(names = "--stack-name", defaultValue = "millrace", description = "The stack.")
          String name,
      @Option(names = "--json", description = "Print one JSON object.") boolean json,
      @Mixin AwsOptions aws,
      @Mixin HelpOption asked) {
    PrintWriter out = spec.commandLine().getOut();
    try (CloudFormationClient client = aws.cloudFormation()) {
      Optional<StackView> found = new AwsStacks(client).find(name);
      if (found.isEmpty()) {
        spec.commandLine()
            .getErr()
            .println("millrace: there is no stack " + name + "; 'millrace stack list' shows all");
        return ExitCodes.NOT_FOUND;
      }
      StackView stack = found.get();
      if (json) {
        out.println(Json.line(json(stack)));
        return ExitCodes.DONE;
      }
      out.println("Stack " + stack.name() + ": " + stack.status() + " " + stack.reason());
      print(out, "parameters", stack.parameters());
      print(out, "outputs", stack.outputs());
      print(out, "tags", stack.tags());
      return ExitCodes.DONE;
    }
  }

  @Command(name = "list", description = "Lists all stacks of the region that 'deploy' made.")
  int list(
      @Option(names = "--json", description = "Print a JSON object for each.") boolean json,
      @Mixin AwsOptions aws,
      @Mixin HelpOption asked) {
    PrintWriter out = spec.commandLine().getOut();
    try (CloudFormationClient client = aws.cloudFormation()) {
      for (StackView stack : new AwsStacks(client).list(Deployment.OWN_TAG)) {
        out.println(
            json ? Json.line(json(stack)) : "%-40s %s".formatted(stack.name(), stack.status()));
      }
    }
    return ExitCodes.DONE;
  }

  private static void print(PrintWriter out, String title, Map<String, String> values) {
    out.println(title + ":");
    values.forEach((name, value) -> out.println("  %-28s %s".formatted(name, value)));
  }

  private static Map<String, Object> json(StackView stack) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("stack", stack.name());
    json.put("id", stack.id());
    json.put("status", stack.status());
    json.put("healthy", stack.isHealthy());
    json.put("reason", stack.reason());
    json.put("parameters", stack.parameters());
    json.put("outputs", stack.outputs());
    json.put("tags", stack.tags());
    return json;
  }
}
