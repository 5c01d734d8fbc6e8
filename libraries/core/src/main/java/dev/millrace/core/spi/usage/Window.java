package dev.millrace.core.spi.usage;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * A way to cut time into pieces for which usage is added up: hours, days or months as clocks show
 * them in a time zone.
 *
 * <p>A piece is named by the instant at which it begins, not by what clocks showed then: the hour
 * that is repeated in autumn begins at two instants and is two pieces, and the day of a change has
 * 23 or 25 hours.
 *
 * @param unit how long a piece is
 * @param zone whose clocks; {@link ZoneOffset#UTC} for any way to write UTC
 */
public record Window(Unit unit, ZoneId zone) {
  /** The hours of UTC. */
  public static final Window HOUR = new Window(Unit.HOUR, ZoneOffset.UTC);

  /** The days of UTC. */
  public static final Window DAY = new Window(Unit.DAY, ZoneOffset.UTC);

  /** The months of UTC. */
  public static final Window MONTH = new Window(Unit.MONTH, ZoneOffset.UTC);

  /** The first instant that can be in a window: offsets of zones are whole minutes since 1972. */
  public static final long MIN_TIME_MS = Instant.parse("2000-01-01T00:00:00Z").toEpochMilli();

  /** The first instant that is too late to be in a window. */
  public static final long MAX_TIME_MS = Instant.parse("2200-01-01T00:00:00Z").toEpochMilli();

  private static final char AT = '@';
  private static final int MAX_TEXT = 64;
  private static final int MAX_STEPS = 4;

  /** The length of a window. */
  public enum Unit {
    /** An hour of the clock. */
    HOUR,
    /** A day of the calendar. */
    DAY,
    /** A month of the calendar. */
    MONTH;

    private final String text = name().toLowerCase(Locale.ROOT);
  }

  /** One name for UTC, so that no two windows are the same and have different keys. */
  public Window {
    if (zone.normalized().equals(ZoneOffset.UTC)) {
      zone = ZoneOffset.UTC;
    }
  }

  /**
   * The window called {@code text}, as {@link #toString} writes it.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static Window parse(String text) {
    int at = text.indexOf(AT);
    String name = at < 0 ? text : text.substring(0, at);
    for (Unit unit : Unit.values()) {
      if (unit.text.equals(name)) {
        Window window = new Window(unit, at < 0 ? ZoneOffset.UTC : zone(text, at + 1));
        if (window.toString().equals(text)) {
          return window;
        }
      }
    }
    throw refused(text);
  }

  private static ZoneId zone(String text, int start) {
    try {
      return ZoneId.of(text.substring(start));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(refused(text).getMessage(), e);
    }
  }

  private static IllegalArgumentException refused(String text) {
    String shown = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "…" : text;
    return new IllegalArgumentException(
        "window '" + shown + "' must be hour, day or month, or one of them with @ and a time zone");
  }

  /** Whether {@code timeMs} can be in a window at all. */
  public static boolean covers(long timeMs) {
    return timeMs >= MIN_TIME_MS && timeMs < MAX_TIME_MS;
  }

  /** When the piece that {@code timeMs} is in begins. */
  public long startOf(long timeMs) {
    if (!covers(timeMs)) {
      throw new IllegalArgumentException("time " + timeMs + " ms is not from 2000 to 2199");
    }
    ZonedDateTime start = cut(Instant.ofEpochMilli(timeMs).atZone(zone));
    // Where clocks went back over midnight the day had begun already, and goes on.
    for (int step = 0; step < MAX_STEPS; step++) {
      ZonedDateTime next = after(start);
      if (next.toInstant().toEpochMilli() > timeMs) {
        return start.toInstant().toEpochMilli();
      }
      start = next;
    }
    throw new IllegalStateException(this + " does not begin before " + timeMs);
  }

  /** When the piece after the one that begins at {@code startMs} begins. */
  public long next(long startMs) {
    return after(Instant.ofEpochMilli(startMs).atZone(zone)).toInstant().toEpochMilli();
  }

  private ZonedDateTime after(ZonedDateTime start) {
    for (int step = 1; step <= MAX_STEPS; step++) {
      ZonedDateTime next =
          cut(
              switch (unit) {
                case HOUR -> start.plusHours(step);
                case DAY -> start.plusDays(step);
                case MONTH -> start.plusMonths(step);
              });
      if (next.isAfter(start)) { // where clocks go back by half an hour, one hour has 90 minutes
        return next;
      }
    }
    throw new IllegalStateException(this + " does not go on after " + start);
  }

  private ZonedDateTime cut(ZonedDateTime time) {
    return switch (unit) {
      case HOUR -> time.truncatedTo(ChronoUnit.HOURS);
      case DAY -> time.toLocalDate().atStartOfDay(zone);
      case MONTH -> time.toLocalDate().withDayOfMonth(1).atStartOfDay(zone);
    };
  }

  /** As it stands in keys: {@code day}, or {@code day@Europe/Berlin}. */
  @Override
  public String toString() {
    return zone.equals(ZoneOffset.UTC) ? unit.text : unit.text + AT + zone.getId();
  }
}
