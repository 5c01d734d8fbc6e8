package dev.millrace.cli.demo;

import dev.millrace.Limit;
import dev.millrace.LimitStatus;
import dev.millrace.Rejection;
import dev.millrace.cli.demo.DemoAction.Answer;
import dev.millrace.cli.demo.DemoAction.Units;
import dev.millrace.cli.text.TextTable;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;

/** For people: what happens, what the limiter answers, what it costs. */
public final class TextView implements DemoView {
  private static final int WIDTH = 88;
  private static final String INDENT = "   ";
  private static final String DEEPER = INDENT + "  ";
  private static final String FREE = "0 round trips: free";

  /** Cells of the bar that shows how far a wait is. */
  private static final int BAR_CELLS = 20;

  private static final String CLEAR_LINE = "\r" + " ".repeat(60) + "\r";

  private final PrintWriter out;
  private final Ansi ansi;
  private final boolean terminal;

  /** The table at the end, a row for each step. */
  private final TextTable costs = new TextTable();

  private Units together = Units.NONE;

  /** A view with colours as {@code ansi} says; lines that change only on a {@code terminal}. */
  public TextView(PrintWriter out, Ansi ansi, boolean terminal) {
    this.out = out;
    this.ansi = ansi;
    this.terminal = terminal;
    costs.row("What it cost, in units", "round trips", "read", "write", "index write");
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
  public void done(DemoAction action) {
    if (terminal && action.answer() == Answer.WAITED) {
      out.print(CLEAR_LINE);
    }
    out.println();
    out.println(INDENT + style("bold", asked(action)) + "  →  " + answer(action.answer()));
    wrap(DEEPER, action.remark()).forEach(out::println);
    action.rejection().ifPresent(this::show);
    if (!action.balances().isEmpty()) {
      out.println(DEEPER + "left: " + balances(action.balances()));
    }
    if (action.answer() != Answer.WAITED) {
      out.println(DEEPER + style("faint", cost(action)));
    }
  }

  @Override
  public void waiting(long doneMs, long totalMs) {
    if (terminal) {
      int cells = (int) (BAR_CELLS * doneMs / totalMs);
      out.printf(
          "\r%s%s%s %s ",
          INDENT, "█".repeat(cells), "░".repeat(BAR_CELLS - cells), time(totalMs - doneMs));
      out.flush();
    }
  }

  @Override
  public void end(int number, String title, List<DemoAction> actions) {
    Units units = Units.total(actions);
    together = together.plus(units);
    row(number + "  " + title, units);
    out.println();
    String cost = units.equals(Units.NONE) ? FREE : roundTrips(units) + ": " + billed(units);
    out.println(INDENT + style("cyan", "Step " + number + " cost " + cost));
  }

  @Override
  public void closing() {
    row("   together", together);
    out.println();
    List<String> lines = costs.lines();
    out.println(style("bold", lines.get(0)));
    lines.subList(1, lines.size()).forEach(out::println);
    out.println();
    out.println(
        "Each step checked its charges, waits and units; one that is off would have failed.");
    out.println();
    out.println(style("bold", "What to read next"));
    out.println("   docs/README.md                all documents, and an order to read them");
    out.println("   docs/design/promises.md       the guarantees, with their bounds");
    out.println("   docs/design/bucket-maths.md   why the refill never drifts");
    out.println("   docs/design/architecture.md   how one acquire works, write by write");
    out.println("   docs/design/consistency.md    what can go wrong, how much, and why");
    out.println("   docs/operate/cost.md          the cost of each operation");
    out.println("   docs/operate/operations.md    on real DynamoDB: table, permissions, metrics");
  }

  private void show(Rejection rejection) {
    TextTable table = new TextTable();
    table.row("limit", "available", "requested", "exceeded", "retry after");
    for (LimitStatus status : rejection.statuses()) {
      table.row(
          status.name(),
          tokens(status.available()),
          tokens(status.requested()),
          status.exceeded() ? "yes" : "no",
          status.exceeded() ? time(status.retryAfterMs()) : "now");
    }
    table.lines().forEach(line -> out.println(DEEPER + "  " + line));
    out.println(
        DEEPER
            + "retry after "
            + style("bold", time(rejection.retryAfterMs()))
            + " (HTTP Retry-After: "
            + rejection.retryAfterSeconds()
            + ")");
  }

  private void row(String name, Units units) {
    costs.row(
        name,
        String.valueOf(units.roundTrips()),
        number(units.readUnits()),
        number(units.writeUnits()),
        number(units.indexWriteUnits()));
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

  /** {@code acquire rpm 1, tpm 500}, {@code adjust tpm +230} or {@code wait 1.975 s}. */
  private static String asked(DemoAction action) {
    return switch (action.answer()) {
      case WAITED -> action.verb() + " " + time(action.waitedMs());
      case SETTLED -> action.verb() + " " + amounts(action.amounts(), "%s %+,d");
      case ADMITTED, REFUSED -> action.verb() + " " + amounts(action.amounts(), "%s %,d");
    };
  }

  private static String amounts(Map<String, Long> amounts, String format) {
    return amounts.entrySet().stream()
        .map(entry -> String.format(Locale.ROOT, format, entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** {@code rpm 99 of 100, tpm 9,500 of 10,000}; rounded down, as callers are told. */
  private static String balances(List<LimitState> balances) {
    return balances.stream()
        .map(
            state ->
                "%s %s of %s"
                    .formatted(
                        state.name(),
                        tokens(Math.floorDiv(state.tokensMilli(), Limit.MILLI)),
                        tokens(state.limit().burstMilli() / Limit.MILLI)))
        .collect(Collectors.joining(", "));
  }

  /** {@code 2 round trips (read, create): 1 read unit, 1 write unit, 2 index write units}. */
  private static String cost(DemoAction action) {
    return action.calls().isEmpty()
        ? FREE
        : "%s (%s): %s"
            .formatted(
                roundTrips(action.units()),
                String.join(", ", action.calls()),
                billed(action.units()));
  }

  private static String roundTrips(Units units) {
    return count(units.roundTrips(), "round trip");
  }

  private static String billed(Units units) {
    return String.join(
        ", ",
        count(units.readUnits(), "read unit"),
        count(units.writeUnits(), "write unit"),
        count(units.indexWriteUnits(), "index write unit"));
  }

  private static String count(double count, String what) {
    return number(count) + " " + what + (count == 1 ? "" : "s");
  }

  /** {@code 2} or {@code 0.5}. */
  private static String number(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** {@code 9,500}. */
  private static String tokens(long tokens) {
    return String.format(Locale.ROOT, "%,d", tokens);
  }

  /** {@code 4.378 s}; to the millisecond, because the limiter knows it. */
  private static String time(long ms) {
    return ms == LimitStatus.NEVER ? "never" : String.format(Locale.ROOT, "%.3f s", ms / 1e3);
  }
}
