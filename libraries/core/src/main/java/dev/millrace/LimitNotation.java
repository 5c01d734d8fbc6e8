package dev.millrace;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Limits as people write them: {@code name:rate[/[N]unit][:burst][:soft]}, a minute when no unit is
 * given. {@code rpm:100}, {@code tpm:10000/min:20000}, {@code jobs:5/2hour}, {@code
 * usd:50/day:soft}.
 */
public final class LimitNotation {
  private static final Pattern FORM =
      Pattern.compile("([^:]*):([0-9]+)(?:/([0-9]*)(sec|min|hour|day))?(?::([0-9]+))?(:soft)?");

  /** The units, longest first: a period is written in the longest one that divides it. */
  private enum Unit {
    DAY(Duration.ofDays(1)),
    HOUR(Duration.ofHours(1)),
    MIN(Duration.ofMinutes(1)),
    SEC(Duration.ofSeconds(1));

    final Duration length;

    Unit(Duration length) {
      this.length = length;
    }
  }

  private LimitNotation() {}

  /** Reads one limit; what cannot be read is refused with the form that was expected. */
  public static Limit parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "limit '" + text + "' is not of the form name:rate[/[N]sec|min|hour|day][:burst][:soft]");
    }
    String name = form.group(1);
    long rate = number(text, "rate", form.group(2));
    String unitName = form.group(4) == null ? "min" : form.group(4);
    Duration unit = Unit.valueOf(unitName.toUpperCase(Locale.ROOT)).length;
    long count =
        form.group(3) == null || form.group(3).isEmpty() ? 1 : number(text, "N", form.group(3));
    long burst = form.group(5) == null ? rate : number(text, "burst", form.group(5));
    if (count > Limit.MAX_PERIOD.dividedBy(unit)) {
      throw new IllegalArgumentException(
          "limit '" + text + "': the period is longer than " + Limit.MAX_PERIOD.toDays() + " days");
    }
    // A burst below the rate is a limit that must be spent evenly: its capacity is the burst.
    Limit limit = Limit.custom(name, Math.min(rate, burst), rate, unit.multipliedBy(count));
    return form.group(6) == null ? limit.withBurst(burst) : limit.withBurst(burst).asSoft();
  }

  /** The text that {@link #parse} reads back, for limits of whole tokens and whole seconds. */
  public static String format(Limit limit) {
    String rate = Limit.tokens(limit.refill().amountMilli());
    String text = limit.name() + ":" + rate + "/" + period(limit.refill().periodMs());
    if (limit.burstMilli() != limit.refill().amountMilli()) {
      text += ":" + Limit.tokens(limit.burstMilli());
    }
    return limit.soft() ? text + ":soft" : text;
  }

  private static String period(long periodMs) {
    for (Unit unit : Unit.values()) {
      if (periodMs % unit.length.toMillis() == 0) {
        long count = periodMs / unit.length.toMillis();
        return (count == 1 ? "" : String.valueOf(count)) + unit.name().toLowerCase(Locale.ROOT);
      }
    }
    return periodMs + "ms";
  }

  private static long number(String text, String field, String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "limit '" + text + "': " + field + " " + digits + " is too large", e);
    }
  }
}
