package dev.millrace.deploy;

import dev.millrace.cli.ExtraCommand;

/** Brings {@code stack} to the command line. */
public final class StackExtension implements ExtraCommand {
  @Override
  public Object command() {
    return new StackCommand();
  }
}
