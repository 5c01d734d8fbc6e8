package dev.millrace.cli.deploy;

import dev.millrace.deploy.stack.StackClient;
import dev.millrace.deploy.stack.StackDeployer;
import java.io.PrintWriter;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options that name a stack and say how it is followed; a mixin. */
final class StackOptions {
  @Option(
      names = "--stack-name",
      paramLabel = "NAME",
      defaultValue = "millrace",
      description = "The stack (default: ${DEFAULT-VALUE}).")
  private String name;

  @Option(names = "--wait", description = "Follow it to its end, with what happens as progress.")
  private boolean wait;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "1800",
      description = "With --wait: for how long (default: ${DEFAULT-VALUE}).")
  private long timeoutSeconds;

  @Option(
      names = "--poll",
      paramLabel = "MS",
      defaultValue = "3000",
      hidden = true,
      description = "With --wait: how long between two looks.")
  private long pollMs;

  @Option(names = "--json", description = "Print one JSON object, and nothing else.")
  private boolean json;

  String name() {
    return name;
  }

  boolean waits() {
    return wait;
  }

  boolean json() {
    return json;
  }

  /** A deployer that prints the events as progress. */
  StackDeployer deployer(StackClient stacks, PrintWriter progress) {
    return new StackDeployer(
        stacks,
        Duration.ofMillis(pollMs),
        Duration.ofSeconds(timeoutSeconds),
        event ->
            progress.println(
                "%-28s %-28s %s"
                    .formatted(event.status(), event.resource(), event.reason())
                    .stripTrailing()));
  }
}
