package dev.millrace.cli.command;

import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.LimitSet;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.JobView;
import dev.millrace.admin.StoredLimits;
import dev.millrace.cli.text.ColumnTable;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Limits, times and results of changes, as they are typed and printed. */
final class Texts {
  private static final Pattern AGO = Pattern.compile("([0-9]{1,6})([mhd])");

  private Texts() {}

  /** {@code rpm:100/min tpm:10000/min}, or a dash. */
  static String limits(@Nullable LimitSet limits) {
    return limits == null
        ? "–"
        : limits.asList().stream().map(Limit::toString).collect(Collectors.joining(" "));
  }

  /** Reads limits such as {@code rpm:100/min}. */
  static LimitSet parse(List<String> texts) {
    return LimitSet.of(texts.stream().map(LimitNotation::parse).toList());
  }

  /** {@code 2026-11-15T20:00:00Z}, {@code 2026-11-15} in UTC, {@code now}, or {@code 24h} ago. */
  static Instant time(String text, Instant now) {
    Matcher ago = AGO.matcher(text);
    try {
      if (ago.matches()) {
        String unit = ago.group(2).toUpperCase(Locale.ROOT);
        return now.minus(Duration.parse((unit.equals("D") ? "P" : "PT") + ago.group(1) + unit));
      }
      if (text.equals("now")) {
        return now;
      }
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

  /** The limits that are stored at levels, as a table. */
  static List<String> table(List<StoredLimits> levels) {
    ColumnTable table =
        ColumnTable.withNumbersIn()
            .row("LEVEL", "ENTITY", "RESOURCE", "LIMITS", "CASCADE", "DISABLED");
    for (StoredLimits stored : levels) {
      Boolean cascade = stored.cascade();
      table.row(
          stored.target().level().label(),
          orDash(stored.target().entityId()),
          orDash(stored.target().resource()),
          limits(stored.limits())
              + (stored.shared() == null ? "" : " of " + limits(stored.shared())),
          cascade == null ? "–" : yesNo(cascade),
          yesNo(stored.disabled()));
    }
    return table.lines();
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "–" : text;
  }

  /** {@code changed; 3 of 5 buckets follow it now}. */
  static String change(ChangeResult result) {
    JobView buckets = result.buckets();
    String done = changed(result.changed());
    return buckets == null || buckets.examined() == 0 ? done : done + "; " + job(buckets);
  }

  static String changed(boolean changed) {
    return changed ? "changed" : "was so already";
  }

  /** {@code 5 looked at, 3 changed}. */
  static String job(JobView job) {
    String text =
        String.format(Locale.ROOT, "%,d looked at, %,d changed", job.examined(), job.changed());
    return job.isDone() ? text : text + "; another process goes on with it";
  }

  static String yesNo(boolean value) {
    return value ? "yes" : "no";
  }
}
