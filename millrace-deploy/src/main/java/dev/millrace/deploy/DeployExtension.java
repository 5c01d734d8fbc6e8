package dev.millrace.deploy;

import dev.millrace.cli.ExtraCommand;

/** Brings {@code deploy} to the command line. */
public final class DeployExtension implements ExtraCommand {
  @Override
  public Object command() {
    return DeployCommand.commandLine();
  }
}
