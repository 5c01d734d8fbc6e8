package dev.millrace.server.command;

import dev.millrace.cli.ExtraCommand;

/** Brings {@code key} to the command line. */
public final class KeyExtension implements ExtraCommand {
  @Override
  public Object command() {
    return new KeyCommand();
  }
}
