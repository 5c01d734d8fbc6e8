package dev.millrace.benchmarks;

import dev.millrace.cli.ExtraCommand;

/** Brings {@code bench} to the command line. */
public final class BenchExtension implements ExtraCommand {
  @Override
  public Object command() {
    return new BenchCommand();
  }
}
