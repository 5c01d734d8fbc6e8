package dev.millrace.worker;

import dev.millrace.cli.ExtraCommand;

/** Brings {@code worker} to the command line. */
public final class WorkerExtension implements ExtraCommand {
  @Override
  public Object command() {
    return new WorkerCommand();
  }
}
