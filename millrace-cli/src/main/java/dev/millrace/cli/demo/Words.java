package dev.millrace.cli.demo;

import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.limit.Limit;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Amounts, times and costs as a person reads them. */
final class Words {
  private Words() {}

  /** {@code acquire rpm 1, tpm 500}, {@code adjust tpm +230} or {@code wait 1.975 s}. */
  static String asked(Action action) {
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
  static String balances(List<LimitState> balances) {
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
  static String cost(List<String> calls, Units units) {
    if (calls.isEmpty()) {
      return "0 round trips: free";
    }
    return "%s (%s): %s"
        .formatted(
            count(units.roundTrips(), "round trip"), String.join(", ", calls), billed(units));
  }

  /** {@code 3 round trips: 1 read unit, 2 write units, 2 index write units}. */
  static String cost(Units units) {
    return units.equals(Units.NONE)
        ? "0 round trips: free"
        : count(units.roundTrips(), "round trip") + ": " + billed(units);
  }

  private static String billed(Units units) {
    List<String> parts = new ArrayList<>();
    parts.add(count(units.readUnits(), "read unit"));
    parts.add(count(units.writeUnits(), "write unit"));
    parts.add(count(units.indexWriteUnits(), "index write unit"));
    return String.join(", ", parts);
  }

  private static String count(double count, String what) {
    return number(count) + " " + what + (count == 1 ? "" : "s");
  }

  /** {@code 2} or {@code 0.5}. */
  static String number(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** {@code 9,500}. */
  static String tokens(long tokens) {
    return String.format(Locale.ROOT, "%,d", tokens);
  }

  /** {@code 4.378 s}; to the millisecond, because the limiter knows it. */
  static String time(long ms) {
    return ms == LimitStatus.NEVER ? "never" : String.format(Locale.ROOT, "%.3f s", ms / 1e3);
  }
}
