package dev.millrace.core.spi.usage;

import dev.millrace.NameRules;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/**
 * Whose usage of what, and when: one item of usage.
 *
 * @param startMs when the piece of time begins, in epoch milliseconds; whole minutes
 */
public record UsageKey(
    String namespace, String entityId, String resource, Window window, long startMs) {
  /** The end that is always UTC makes the order of texts that of the instants. */
  private static final DateTimeFormatter START =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final long MINUTE_MS = 60_000;

  /** Checks the names and the time. */
  public UsageKey {
    NameRules.requireNamespace(namespace);
    NameRules.requireEntityId(entityId);
    NameRules.requireResource(resource);
    if (!Window.covers(startMs) || startMs % MINUTE_MS != 0) {
      throw new IllegalArgumentException(
          "start " + startMs + " ms must be a whole minute from 2000 to 2199");
    }
  }

  /** The item of {@code timeMs}. */
  public static UsageKey at(
      String namespace, String entityId, String resource, Window window, long timeMs) {
    return new UsageKey(namespace, entityId, resource, window, window.startOf(timeMs));
  }

  /** When it begins, as it stands in keys: {@code 2026-11-15T20:00Z}. */
  public String startText() {
    return startText(startMs);
  }

  /** An instant as it stands in keys. */
  public static String startText(long startMs) {
    return START.format(Instant.ofEpochMilli(startMs));
  }

  /**
   * The instant that stands in a key as {@code text}.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static long parseStart(String text) {
    try {
      return Instant.from(START.parse(text)).toEpochMilli();
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("start '" + text + "' is not as 2026-11-15T20:00Z", e);
    }
  }
}
