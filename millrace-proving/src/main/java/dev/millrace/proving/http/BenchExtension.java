package dev.millrace.proving.http;

import dev.millrace.cli.ExtraCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Brings {@code bench http} to the command line. The other benchmarks are in a module of their own,
 * which needs no server.
 */
public final class BenchExtension implements ExtraCommand {
  @Override
  public Object command() {
    return new Bench();
  }

  /** Names what can be measured here. */
  @Command(name = "bench", subcommands = HttpBenchCommand.class, description = "Measures a server.")
  static final class Bench implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set before the command runs
    private CommandSpec spec;

    @Override
    public void run() {
      throw new ParameterException(spec.commandLine(), "Missing what to measure: http");
    }
  }
}
