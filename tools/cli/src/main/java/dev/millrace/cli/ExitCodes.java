package dev.millrace.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What the end of a command says to a script; the same for all commands that work on a table. */
public final class ExitCodes {
  /** It was done, or was so already. */
  public static final int DONE = 0;

  /** It failed, for no reason that has a number of its own. */
  public static final int FAILED = 1;

  /** The command or its arguments are wrong; nothing was sent. */
  public static final int USAGE = 2;

  /** What was named is not there. */
  public static final int NOT_FOUND = 3;

  /** It was refused as things are; nothing was changed. */
  public static final int REFUSED = 4;

  /** The table could not be reached. */
  public static final int UNREACHABLE = 5;

  /** It ran, and found differences or faults. */
  public static final int FOUND = 6;

  private ExitCodes() {}

  /** Lets the help of every command say them that says none of its own. */
  static void describe(CommandLine command) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    if (usage.exitCodeList().isEmpty()) {
      usage.exitCodeListHeading("%nExit codes:%n");
      usage.exitCodeList(texts());
    }
    command.getSubcommands().values().forEach(ExitCodes::describe);
  }

  private static Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("0", "done");
    texts.put("1", "failed");
    texts.put("2", "wrong usage");
    texts.put("3", "not found");
    texts.put("4", "refused as things are");
    texts.put("5", "table not reachable");
    texts.put("6", "differences or faults found");
    return texts;
  }
}
