package dev.millrace.worker;

import dev.millrace.cli.ExtraCommand;
import dev.millrace.worker.regions.RegionsCommand;

/** Brings {@code regions} to the command line. */
public final class RegionsExtension implements ExtraCommand {
  @Override
  public Object command() {
    return new RegionsCommand();
  }
}
