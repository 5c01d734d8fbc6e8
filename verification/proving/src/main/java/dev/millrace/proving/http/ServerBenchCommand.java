package dev.millrace.proving.http;

import dev.millrace.cli.ExtraCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench http}. The other benchmarks are in a module of their own, which needs no server. */
@Command(name = "bench", subcommands = HttpBenchCommand.class, description = "Measures a server.")
public final class ServerBenchCommand implements ExtraCommand, Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing what to measure: http");
  }
}
