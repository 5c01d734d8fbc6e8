package dev.millrace.cli.command;

import dev.millrace.cli.HelpOption;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only holds others. */
abstract class Group implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  CommandSpec spec() {
    return spec;
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Missing command: say what, one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
