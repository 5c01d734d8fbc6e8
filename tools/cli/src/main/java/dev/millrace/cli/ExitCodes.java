package dev.millrace.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The exit codes of all commands that work on a table. */
public final class ExitCodes {
  /** It was done, or was so already. */
  public static final int DONE = 0;

  /** It failed, for no reason that has a number of its own. */
  public static final int FAILED = 1;

  /** The command or its arguments are wrong; nothing was sent. */
  public static final int USAGE = 2;

  /** The subject of the command does not exist. */
  public static final int NOT_FOUND = 3;

  /** It was refused as things are; nothing was changed. */
  public static final int REFUSED = 4;

  /** The table could not be reached. */
  public static final int UNREACHABLE = 5;

  /** It ran, and found differences or faults. */
  public static final int FOUND = 6;

  private ExitCodes() {}

  /** Adds the codes to the help of every command that declares none of its own. */
  static void describe(CommandLine command) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    if (usage.exitCodeList().isEmpty()) {
      usage.exitCodeListHeading("%nExit codes:%n");
      usage.exitCodeList(
          UsageMessageSpec.keyValuesMap(
              "0:done",
              "1:failed",
              "2:wrong usage",
              "3:not found",
              "4:refused as things are",
              "5:table not reachable",
              "6:differences or faults found"));
    }
    command.getSubcommands().values().forEach(ExitCodes::describe);
  }
}
