package dev.millrace.server.command;

import dev.millrace.cli.ExtraCommand;

/** Brings {@code up} to the command line. */
public final class UpExtension implements ExtraCommand {
  @Override
  public Object command() {
    return new UpCommand();
  }
}
