package dev.millrace.aggregator;

import dev.millrace.core.spi.usage.Window;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of the count of usage.
 *
 * @param retention how long the usage of each window is kept after its beginning
 * @param rememberedShards the number of bucket shards for which the last applied record is cached,
 *     so that repeated records cost no write
 */
public record AggregatorSettings(Map<Window, Duration> retention, int rememberedShards) {
  /** Hours for 30 days, days for 400, months for 10 years. */
  public static final Map<Window.Unit, Duration> DEFAULT_RETENTION =
      Map.of(
          Window.Unit.HOUR, Duration.ofDays(30),
          Window.Unit.DAY, Duration.ofDays(400),
          Window.Unit.MONTH, Duration.ofDays(3_660));

  /** Most windows: each costs a write. */
  public static final int MAX_WINDOWS = 12;

  private static final int DEFAULT_REMEMBERED = 100_000;
  private static final Duration MIN_RETENTION = Duration.ofHours(25);
  private static final Duration MAX_RETENTION = Duration.ofDays(36_600);

  /** Checks the ranges. */
  public AggregatorSettings {
    retention = Map.copyOf(retention);
    if (retention.isEmpty() || retention.size() > MAX_WINDOWS) {
      throw new IllegalArgumentException(
          retention.size() + " windows, must be from 1 to " + MAX_WINDOWS);
    }
    retention.forEach(AggregatorSettings::check);
    if (rememberedShards < 1) {
      throw new IllegalArgumentException("remembered shards " + rememberedShards + " must be 1");
    }
  }

  /** Hours, days and months of UTC. */
  public static AggregatorSettings defaults() {
    Map<Window, Duration> retention = new LinkedHashMap<>();
    DEFAULT_RETENTION.forEach((unit, kept) -> retention.put(Window.parse(text(unit)), kept));
    return new AggregatorSettings(retention, DEFAULT_REMEMBERED);
  }

  /** The same, with hours, days and months of {@code zone} too. */
  public AggregatorSettings withZone(ZoneId zone) {
    Map<Window, Duration> more = new LinkedHashMap<>(retention);
    DEFAULT_RETENTION.forEach((unit, kept) -> more.putIfAbsent(new Window(unit, zone), kept));
    return new AggregatorSettings(more, rememberedShards);
  }

  /** The same, with a window that is kept for {@code kept}. */
  public AggregatorSettings withWindow(Window window, Duration kept) {
    Map<Window, Duration> more = new LinkedHashMap<>(retention);
    more.put(window, kept);
    return new AggregatorSettings(more, rememberedShards);
  }

  /** The windows, in any order. */
  public List<Window> windows() {
    return new ArrayList<>(retention.keySet());
  }

  private static String text(Window.Unit unit) {
    return unit.name().toLowerCase(java.util.Locale.ROOT);
  }

  private static void check(Window window, Duration kept) {
    // A stream keeps its records for a day: usage must exist as long as they can be delivered
    // again.
    if (kept.compareTo(MIN_RETENTION) < 0 || kept.compareTo(MAX_RETENTION) > 0) {
      throw new IllegalArgumentException(
          "retention " + kept + " of " + window + " must be from 25 hours to 100 years");
    }
  }
}
