package dev.millrace.deploy;

import dev.millrace.cli.ExtraCommand;

/** Brings {@code cost} to the command line. */
public final class CostExtension implements ExtraCommand {
  @Override
  public Object command() {
    return new CostCommand();
  }
}
