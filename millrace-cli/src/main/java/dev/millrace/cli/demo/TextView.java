package dev.millrace.cli.demo;

import dev.millrace.cli.demo.Action.Answer;
import dev.millrace.cli.text.TextTable;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.decision.Rejection;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;

/** For people: what happens, what the limiter answers, what it costs. */
public final class TextView implements DemoView {
  private static final int WIDTH = 88;
  private static final String INDENT = "   ";
  private static final String DEEPER = INDENT + "  ";

  /** Cells of the bar that shows how far a wait is. */
  private static final int BAR_CELLS = 20;

  private static final String CLEAR_LINE = "\r" + " ".repeat(60) + "\r";

  private final PrintWriter out;
  private final Ansi ansi;
  private final boolean terminal;

  /** A view with colours as {@code ansi} says; lines that change only on a {@code terminal}. */
  public TextView(PrintWriter out, Ansi ansi, boolean terminal) {
    this.out = out;
    this.ansi = ansi;
    this.terminal = terminal;
  }

  @Override
  public void progress(String line) {
    out.println(line);
  }

  @Override
  public void ready(String table, long tookMs) {
    out.printf(
        Locale.ROOT,
        "Ready after %.1f s, with a new table \"%s\". Nothing is kept.%n",
        tookMs / 1e3,
        table);
  }

  @Override
  public void begin(int number, String title, String story) {
    out.println();
    out.println(style("bold", number + "  " + title));
    wrap(INDENT, story).forEach(out::println);
  }

  @Override
  public void done(Action action) {
    if (terminal && action.answer() == Answer.WAITED) {
      out.print(CLEAR_LINE);
    }
    out.println();
    out.println(INDENT + style("bold", Words.asked(action)) + "  →  " + answer(action.answer()));
    wrap(DEEPER, action.remark()).forEach(out::println);
    action.rejection().ifPresent(this::show);
    if (!action.balances().isEmpty()) {
      out.println(DEEPER + "left: " + Words.balances(action.balances()));
    }
    if (action.answer() != Answer.WAITED) {
      out.println(DEEPER + style("faint", Words.cost(action.calls(), action.units())));
    }
  }

  @Override
  public void waiting(long doneMs, long totalMs) {
    if (terminal) {
      int cells = (int) (BAR_CELLS * doneMs / totalMs);
      out.printf(
          "\r%s%s%s %s ",
          INDENT, "█".repeat(cells), "░".repeat(BAR_CELLS - cells), Words.time(totalMs - doneMs));
      out.flush();
    }
  }

  @Override
  public void end(StepReport report) {
    out.println();
    out.println(
        INDENT + style("cyan", "Step " + report.number() + " cost " + Words.cost(report.units())));
  }

  @Override
  public void closing(List<StepReport> reports) {
    TextTable table = new TextTable();
    table.row("What it cost, in units", "round trips", "read", "write", "index write");
    for (StepReport report : reports) {
      row(table, report.number() + "  " + report.title(), report.units());
    }
    row(table, "   together", StepReport.total(reports.stream().map(StepReport::units).toList()));
    out.println();
    List<String> lines = table.lines();
    out.println(style("bold", lines.get(0)));
    lines.subList(1, lines.size()).forEach(out::println);
    out.println();
    out.println(
        "Each step checked its charges, waits and units; one that is off would have failed.");
    out.println();
    out.println(style("bold", "What to read next"));
    out.println("   README.md              the API, the guarantees and what each operation costs");
    out.println("   docs/bucket-maths.md   why the refill never drifts");
    out.println("   docs/architecture.md   how one acquire works, write by write");
    out.println("   docs/consistency.md    what can go wrong, how much, and why that is accepted");
    out.println("   docs/operations.md     on real DynamoDB: table, permissions, metrics");
  }

  private void show(Rejection rejection) {
    TextTable table = new TextTable();
    table.row("limit", "available", "requested", "exceeded", "retry after");
    for (LimitStatus status : rejection.statuses()) {
      table.row(
          status.name(),
          Words.tokens(status.available()),
          Words.tokens(status.requested()),
          status.exceeded() ? "yes" : "no",
          status.exceeded() ? Words.time(status.retryAfterMs()) : "now");
    }
    table.lines().forEach(line -> out.println(DEEPER + "  " + line));
    out.println(
        DEEPER
            + "retry after "
            + style("bold", Words.time(rejection.retryAfterMs()))
            + " (HTTP Retry-After: "
            + rejection.retryAfterSeconds()
            + ")");
  }

  private static void row(TextTable table, String name, Units units) {
    table.row(
        name,
        String.valueOf(units.roundTrips()),
        Words.number(units.readUnits()),
        Words.number(units.writeUnits()),
        Words.number(units.indexWriteUnits()));
  }

  private String answer(Answer answer) {
    return switch (answer) {
      case ADMITTED -> style("bold,green", "admitted");
      case SETTLED -> style("bold,green", "settled");
      case REFUSED -> style("bold,red", "refused");
      case WAITED -> "done";
    };
  }

  private String style(String style, String text) {
    return ansi.string("@|" + style + " " + text + "|@");
  }

  private static List<String> wrap(String indent, String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && indent.length() + line.length() + 1 + word.length() > WIDTH) {
        lines.add(indent + line);
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(indent + line);
    return lines;
  }
}
