package dev.millrace.server.envoy;

import dev.millrace.cli.ExtraCommand;

/** Brings {@code envoy} to the command line. */
public final class EnvoyExtension implements ExtraCommand {
  @Override
  public Object command() {
    return new EnvoyCommand();
  }
}
