package dev.millrace.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people type them. */
final class Times {
  private static final Pattern AGO = Pattern.compile("([0-9]{1,6})([mhd])");

  private Times() {}

  /** {@code 2026-11-15T20:00:00Z}, {@code 2026-11-15} in UTC, {@code now}, or {@code 24h} ago. */
  static Instant parse(String text, Instant now) {
    if (text.equals("now")) {
      return now;
    }
    Matcher ago = AGO.matcher(text);
    if (ago.matches()) {
      long count = Long.parseLong(ago.group(1));
      return now.minus(
          switch (ago.group(2)) {
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
          });
    }
    try {
      return text.indexOf('T') < 0
          ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
          : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "time '"
              + text
              + "' must be as 2026-11-15T20:00:00Z, 2026-11-15, now, or 90m, 24h, 7d ago",
          e);
    }
  }
}
