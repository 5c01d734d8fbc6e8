package dev.millrace.proving.soak;

import dev.millrace.cli.ExtraCommand;

/** Brings {@code soak} to the command line. */
public final class SoakExtension implements ExtraCommand {
  @Override
  public Object command() {
    return new SoakCommand();
  }
}
