package dev.millrace.cli.demo;

import dev.millrace.Limit;
import dev.millrace.LimitStatus;
import dev.millrace.Rejection;
import dev.millrace.cli.demo.DemoStage.Action;
import dev.millrace.cli.demo.DemoStage.Units;
import dev.millrace.cli.text.ColumnTable;
import dev.millrace.cli.text.JsonText;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Prints the demo: as text, or as one JSON object for each step with amounts in millitokens. */
public final class DemoPrinter {
  private static final int WIDTH = 88;
  private static final String INDENT = "   ";
  private static final String DEEPER = INDENT + "  ";
  private static final String FREE = "0 round trips: free";

  private final PrintWriter out;
  private final PrintWriter err;
  private final Ansi ansi;
  private final boolean json;

  /** The table at the end, a row for each step. */
  private final ColumnTable costs =
      ColumnTable.withNumbersIn(1, 2, 3, 4)
          .row("What it cost, in units", "round trips", "read", "write", "index write");

  private Units together = Units.NONE;

  /** A printer to the streams and with the colours of {@code command}. */
  public DemoPrinter(CommandLine command, boolean json) {
    this.out = command.getOut();
    this.err = command.getErr();
    this.ansi = command.getColorScheme().ansi();
    this.json = json;
  }

  /** Prints the progress of what takes long. */
  void progress(String line) {
    (json ? err : out).println(line);
  }

  void begin(int number, String title, String story) {
    text("");
    text(bold(number + "  " + title));
    wrap(INDENT, story);
  }

  void done(Action action) {
    text("");
    text(INDENT + bold(request(action)) + "  →  " + bold(action.answer()));
    wrap(DEEPER, action.remark());
    Rejection rejection = action.rejection();
    if (rejection != null) {
      ColumnTable table =
          ColumnTable.withNumbersIn(1, 2, 3, 4)
              .row("limit", "available", "requested", "exceeded", "retry after");
      for (LimitStatus status : rejection.statuses()) {
        table.row(
            status.name(),
            number(status.available()),
            number(status.requested()),
            status.exceeded() ? "yes" : "no",
            status.exceeded() ? time(status.retryAfterMs()) : "now");
      }
      table.lines().forEach(line -> text(DEEPER + "  " + line));
      text(
          "%sretry after %s (HTTP Retry-After: %d)"
              .formatted(
                  DEEPER, bold(time(rejection.retryAfterMs())), rejection.retryAfterSeconds()));
    }
    if (!action.balances().isEmpty()) {
      text(
          DEEPER
              + action.balances().stream()
                  .map(DemoPrinter::balance)
                  .collect(Collectors.joining(", ", "left: ", "")));
    }
    if (action.waitedMs() == 0) {
      text(DEEPER + cost(action.units(), " (" + String.join(", ", action.calls()) + ")"));
    }
  }

  void end(int number, String title, List<Action> actions) {
    Units units = actions.stream().map(Action::units).reduce(Units.NONE, Units::plus);
    together = together.plus(units);
    row(number + "  " + title, units);
    text("");
    text(INDENT + bold("Step " + number + " cost " + cost(units, "")));
    if (json) {
      out.println(
          JsonText.of(
              JsonText.object(
                  "step",
                  number,
                  "title",
                  title,
                  "actions",
                  actions.stream().map(DemoPrinter::json).toList(),
                  "units",
                  json(units))));
    }
  }

  /** Prints the cost of all steps, and the documents to read next. */
  void closing() {
    row("   together", together);
    text("");
    costs.lines().forEach(this::text);
    text(
        """

        Each step checked its charges, waits and units; one that is off would have failed.

        What to read next
           docs/README.md                all documents, and an order to read them
           docs/design/promises.md       the guarantees, with their bounds
           docs/design/bucket-maths.md   why the refill never drifts
           docs/design/architecture.md   how one acquire works, write by write
           docs/design/consistency.md    what can go wrong, how much, and why
           docs/operate/cost.md          the cost of each operation
           docs/operate/operations.md    on real DynamoDB: table, permissions, metrics""");
  }

  private void text(String text) {
    if (!json) {
      out.println(text);
    }
  }

  private String bold(String text) {
    return ansi.string("@|bold " + text + "|@");
  }

  private void wrap(String indent, String text) {
    StringBuilder line = new StringBuilder(indent);
    for (String word : text.split(" ", -1)) {
      if (line.length() > indent.length() && line.length() + 1 + word.length() > WIDTH) {
        text(line.toString());
        line.setLength(indent.length());
      }
      line.append(line.length() == indent.length() ? "" : " ").append(word);
    }
    text(line.toString());
  }

  /** {@code acquire rpm 1, tpm 500}, {@code adjust tpm +230} or {@code wait 1.975 s}. */
  private static String request(Action action) {
    if (action.waitedMs() > 0) {
      return action.verb() + " " + time(action.waitedMs());
    }
    String format = action.verb().equals("adjust") ? "%s %+,d" : "%s %,d";
    return action.amounts().entrySet().stream()
        .map(each -> String.format(Locale.ROOT, format, each.getKey(), each.getValue()))
        .collect(Collectors.joining(", ", action.verb() + " ", ""));
  }

  /** {@code tpm 9,500 of 10,000}; rounded down, as callers are told. */
  private static String balance(LimitState state) {
    return "%s %s of %s"
        .formatted(
            state.name(),
            number(Math.floorDiv(state.tokensMilli(), Limit.MILLI)),
            number(state.limit().burstMilli() / Limit.MILLI));
  }

  /** {@code 2 round trips (read, create): 1 read unit, 1 write unit, 2 index write units}. */
  private static String cost(Units units, String calls) {
    return units.equals(Units.NONE)
        ? FREE
        : "%s%s: %s, %s, %s"
            .formatted(
                count(units.roundTrips(), "round trip"),
                calls,
                count(units.readUnits(), "read unit"),
                count(units.writeUnits(), "write unit"),
                count(units.indexWriteUnits(), "index write unit"));
  }

  private void row(String name, Units units) {
    costs.row(
        name,
        units.roundTrips(),
        plain(units.readUnits()),
        plain(units.writeUnits()),
        plain(units.indexWriteUnits()));
  }

  private static String count(double count, String what) {
    return plain(count) + " " + what + (count == 1 ? "" : "s");
  }

  /** {@code 2} or {@code 0.5}. */
  private static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** {@code 9,500}. */
  private static String number(long tokens) {
    return String.format(Locale.ROOT, "%,d", tokens);
  }

  /** {@code 4.378 s}; to the millisecond, because the limiter knows it. */
  private static String time(long ms) {
    return ms == LimitStatus.NEVER ? "never" : String.format(Locale.ROOT, "%.3f s", ms / 1e3);
  }

  private static Map<String, @Nullable Object> json(Action action) {
    Map<String, @Nullable Object> json =
        JsonText.object(
            "action", action.verb(), "tokens", action.amounts(), "answer", action.answer());
    if (action.waitedMs() > 0) {
      json.put("waitedMs", action.waitedMs());
    }
    Rejection rejection = action.rejection();
    if (rejection != null) {
      json.put(
          "rejection",
          JsonText.object(
              "retryAfterMs", rejection.retryAfterMs(),
              "statuses", rejection.statuses().stream().map(DemoPrinter::json).toList()));
    }
    if (!action.balances().isEmpty()) {
      json.put("balances", action.balances().stream().map(DemoPrinter::json).toList());
    }
    json.put("calls", action.calls());
    json.put("units", json(action.units()));
    return json;
  }

  private static Map<String, @Nullable Object> json(LimitStatus status) {
    return JsonText.object(
        "limit", status.name(),
        "availableMilli", status.availableMilli(),
        "requestedMilli", status.requestedMilli(),
        "exceeded", status.exceeded(),
        "retryAfterMs", status.retryAfterMs());
  }

  private static Map<String, @Nullable Object> json(LimitState state) {
    return JsonText.object(
        "limit", state.name(),
        "tokensMilli", state.tokensMilli(),
        "consumedMilli", state.consumedMilli());
  }

  private static Map<String, @Nullable Object> json(Units units) {
    return JsonText.object(
        "roundTrips", units.roundTrips(),
        "readUnits", units.readUnits(),
        "writeUnits", units.writeUnits(),
        "indexWriteUnits", units.indexWriteUnits());
  }
}
