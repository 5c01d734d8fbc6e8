package dev.millrace.cli;

import dev.millrace.cli.demo.Demo;
import dev.millrace.cli.demo.DemoView;
import dev.millrace.cli.demo.JsonView;
import dev.millrace.cli.demo.TextView;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what Millrace does, on an engine of its own. */
@Command(
    name = "demo",
    description = {
      "Shows what Millrace does and what each step costs, on DynamoDB Local in memory.",
      "Takes a few seconds, leaves nothing behind, and fails when a step does not do what it says."
    },
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class)
final class DemoCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON object for each step, and nothing else.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    Demo.run(view());
    return ExitCode.OK;
  }

  private DemoView view() {
    CommandLine command = spec.commandLine();
    return json
        ? new JsonView(command.getOut(), command.getErr())
        : new TextView(command.getOut(), command.getColorScheme().ansi(), Terminal.isPresent());
  }
}
