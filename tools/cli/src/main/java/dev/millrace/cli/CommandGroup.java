package dev.millrace.cli;

/** A command that only holds others. */
public abstract class CommandGroup extends CliCommand implements Runnable {
  @Override
  public void run() {
    throw wrongUsage(
        "Missing command: say what, one of " + String.join(", ", spec().subcommands().keySet()));
  }
}
