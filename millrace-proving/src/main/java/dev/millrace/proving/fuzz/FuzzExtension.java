package dev.millrace.proving.fuzz;

import dev.millrace.cli.ExtraCommand;

/** Brings {@code fuzz} to the command line. */
public final class FuzzExtension implements ExtraCommand {
  @Override
  public Object command() {
    return new FuzzCommand();
  }
}
