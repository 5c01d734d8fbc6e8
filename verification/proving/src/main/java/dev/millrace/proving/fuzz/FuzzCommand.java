package dev.millrace.proving.fuzz;

import dev.millrace.cli.ExtraCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Names what can be fuzzed. */
@Command(
    name = "fuzz",
    subcommands = FuzzHttpCommand.class,
    description = "Sends hostile requests, from a seed, and checks every answer.")
public final class FuzzCommand implements ExtraCommand, Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing what to fuzz: http");
  }
}
