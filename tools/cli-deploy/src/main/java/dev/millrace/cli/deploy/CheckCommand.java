package dev.millrace.cli.deploy;

import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.HelpOption;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.table.Session;
import dev.millrace.cli.text.Output;
import dev.millrace.deploy.check.Finding;
import dev.millrace.deploy.check.TableInspection;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says what is wrong with a table. */
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
public final class CheckCommand implements ExtraCommand, Callable<Integer> {
  private final Clock clock;

  @Mixin private final ConnectionOptions connection = new ConnectionOptions();

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

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
    Output output = session.output();
    List<Finding> findings =
        new TableInspection(session.client(), table, clock).inspect(quick, output.watching());
    print(output, table, findings);
    if (findings.isEmpty()) {
      return ExitCodes.DONE;
    }
    boolean unreachable =
        findings.stream().anyMatch(found -> found.id().equals(TableInspection.UNREACHABLE));
    return unreachable ? ExitCodes.UNREACHABLE : ExitCodes.FOUND;
  }

  private static void print(Output output, String table, List<Finding> findings) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("table", table);
    all.put("findings", findings.stream().map(CheckCommand::json).toList());
    output.one(all, () -> text(table, findings));
  }

  private static List<String> text(String table, List<Finding> findings) {
    List<String> lines = new ArrayList<>();
    for (Finding found : findings) {
      lines.add(name(found) + " " + found.id() + ": " + found.what());
      lines.add("  matters: " + found.why());
      lines.add("  to do:   " + found.todo());
    }
    lines.add(
        findings.isEmpty()
            ? "Table " + table + ": nothing is wrong"
            : "Table " + table + ": " + findings.size() + " found");
    return lines;
  }

  private static Map<String, Object> json(Finding found) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", found.id());
    json.put("severity", name(found));
    json.put("what", found.what());
    json.put("why", found.why());
    json.put("todo", found.todo());
    return json;
  }

  private static String name(Finding found) {
    return found.severity().name().toLowerCase(Locale.ROOT);
  }
}
