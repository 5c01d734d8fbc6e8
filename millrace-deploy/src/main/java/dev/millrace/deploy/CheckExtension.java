package dev.millrace.deploy;

import dev.millrace.cli.ExtraCommand;

/** Brings {@code check} to the command line. */
public final class CheckExtension implements ExtraCommand {
  @Override
  public Object command() {
    return new CheckCommand();
  }
}
