package dev.millrace.cli;

import dev.millrace.cli.demo.Demo;
import dev.millrace.cli.demo.DemoPrinter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the demo. */
@Command(
    name = "demo",
    description = {
      "Shows what Millrace does and what each step costs, on DynamoDB Local in memory.",
      "Takes a few seconds, leaves nothing behind, and fails when a step does not do what it says."
    },
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class)
final class DemoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON object for each step, and nothing else.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    Demo.run(new DemoPrinter(spec.commandLine(), json));
    return ExitCodes.DONE;
  }
}
