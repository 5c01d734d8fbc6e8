package dev.millrace.deploy;

import dev.millrace.cli.ExtraCommand;

/** Brings {@code delete} to the command line. */
public final class DeleteExtension implements ExtraCommand {
  @Override
  public Object command() {
    return new DeleteCommand();
  }
}
