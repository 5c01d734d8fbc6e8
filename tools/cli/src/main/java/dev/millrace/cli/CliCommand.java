package dev.millrace.cli;

import dev.millrace.cli.text.Output;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The base of a command: its specification, its help option, and the streams that it prints to. */
public abstract class CliCommand {
  @Spec private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  /** The picocli specification of this command. */
  protected final CommandSpec spec() {
    return spec;
  }

  /** Prints lines for people, or JSON objects for machines. */
  protected final Output output(boolean json) {
    return Output.of(spec, json);
  }

  /** Prints a line to standard output. */
  protected final void print(String line) {
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }

  /** Prints an error of a part of this command. */
  protected final void printError(String part, @Nullable String message) {
    String error = spec.commandLine().getColorScheme().errorText(part + ": " + message).toString();
    spec.commandLine().getErr().println(error);
    spec.commandLine().getErr().flush();
  }

  /** The failure of a command whose arguments are wrong. */
  protected final ParameterException wrongUsage(@Nullable String message) {
    return new ParameterException(spec.commandLine(), String.valueOf(message));
  }
}
