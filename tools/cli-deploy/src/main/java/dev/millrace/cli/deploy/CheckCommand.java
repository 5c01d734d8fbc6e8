package dev.millrace.cli.deploy;

import dev.millrace.cli.CliCommand;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.Session;
import dev.millrace.cli.text.JsonText;
import dev.millrace.deploy.check.TableFault;
import dev.millrace.deploy.check.TableInspection;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the faults of a table. */
@Command(
    name = "check",
    description = {
      "Looks for what is wrong with a table, and says why it matters and what to do.",
      "Changes nothing. Reads the whole table unless --quick is given."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing is wrong",
      "2:wrong usage",
      "5:the table could not be reached",
      "6:something is wrong"
    },
    footer = {"%nExample:", "  millrace check --table limits --region eu-central-1 --json"})
public final class CheckCommand extends CliCommand implements ExtraCommand, Callable<Integer> {
  private final Clock clock;

  @Mixin private final ConnectionOptions connection = new ConnectionOptions();

  @Option(
      names = "--quick",
      description = "Do not look for orphaned namespaces, which reads the whole table.")
  private boolean quick;

  /** By the clock of this machine. */
  public CheckCommand() {
    this(Clock.systemUTC());
  }

  CheckCommand(Clock clock) {
    this.clock = clock;
  }

  @Override
  public Integer call() {
    return connection.run(this::check);
  }

  private int check(Session session) {
    String table = session.settings().table();
    List<TableFault> faults =
        new TableInspection(session.client(), table, clock)
            .inspect(quick, session.output().watching());
    session.print(
        JsonText.object(
            "table", table, "findings", faults.stream().map(CheckCommand::json).toList()),
        () -> text(table, faults));
    if (faults.isEmpty()) {
      return ExitCodes.DONE;
    }
    boolean unreachable =
        faults.stream().anyMatch(fault -> fault.id().equals(TableInspection.UNREACHABLE));
    return unreachable ? ExitCodes.UNREACHABLE : ExitCodes.FOUND;
  }

  private static List<String> text(String table, List<TableFault> faults) {
    List<String> lines = new ArrayList<>();
    for (TableFault fault : faults) {
      lines.add(severity(fault) + " " + fault.id() + ": " + fault.what());
      lines.add("  matters: " + fault.why());
      lines.add("  to do:   " + fault.todo());
    }
    lines.add(
        "Table "
            + table
            + ": "
            + (faults.isEmpty() ? "nothing is wrong" : faults.size() + " found"));
    return lines;
  }

  private static Map<String, @Nullable Object> json(TableFault fault) {
    return JsonText.object(
        "id", fault.id(),
        "severity", severity(fault),
        "what", fault.what(),
        "why", fault.why(),
        "todo", fault.todo());
  }

  private static String severity(TableFault fault) {
    return fault.severity().name().toLowerCase(Locale.ROOT);
  }
}
