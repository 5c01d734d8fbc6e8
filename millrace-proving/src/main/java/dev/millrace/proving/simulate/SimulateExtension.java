package dev.millrace.proving.simulate;

import dev.millrace.cli.ExtraCommand;

/** Brings {@code simulate} to the command line. */
public final class SimulateExtension implements ExtraCommand {
  @Override
  public Object command() {
    return new SimulateCommand();
  }
}
