package dev.millrace.server.command;

import dev.millrace.cli.ExtraCommand;

/** Brings {@code serve} to the command line. */
public final class ServeExtension implements ExtraCommand {
  @Override
  public Object command() {
    return ServeCommand.spec();
  }
}
