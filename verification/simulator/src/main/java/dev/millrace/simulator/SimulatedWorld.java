package dev.millrace.simulator;

import dev.millrace.LimitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The world in which a history takes place.
 *
 * @param epochMs the true time at its beginning
 * @param micros how long it lasts
 * @param entities who there is, parents before their children
 * @param limits stored limits, by "entity/resource"
 * @param byResource stored limits of a resource, for entities that have none of their own
 * @param byCall limits that come with requests, by "entity/resource"; they are not stored
 * @param spread how buckets are spread over partitions
 * @param solo whether there is one process, nothing goes wrong, and one caller asks at a time
 */
public record SimulatedWorld(
    long epochMs,
    long micros,
    List<NodeSpec> nodes,
    List<Kin> entities,
    Map<String, LimitSet> limits,
    Map<String, LimitSet> byResource,
    Map<String, LimitSet> byCall,
    Weather weather,
    long configAgeMs,
    Spread spread,
    boolean solo) {
  /** Where all of it is. */
  public static final String NAMESPACE = "default";

  /** How long an adjustment may be deferred: the limiter's default. */
  public static final long MAX_DEFER_MS = 1_000;

  private static final long NANOS_PER_MS = 1_000_000;

  /** How long old records are used before the store is tried again that did not answer. */
  static final long USED_AGAIN_NANOS = 1_000 * NANOS_PER_MS;

  /** An entity and its parent. */
  public record Kin(String entity, @Nullable String parent) {}

  /**
   * The throughput of the table's partitions.
   *
   * @param unitsPerSecond write units, as processes believe
   * @param throttles whether the table turns away who wants more
   */
  public record Spread(int unitsPerSecond, boolean throttles) {
    /** Everything fits into one partition. */
    static final Spread NONE = new Spread(1_000, /* throttles= */ false);
  }

  /** The same world in other weather. */
  SimulatedWorld in(Weather other) {
    return new SimulatedWorld(
        epochMs,
        micros,
        nodes,
        entities,
        limits,
        byResource,
        byCall,
        other,
        configAgeMs,
        spread,
        solo);
  }

  /** Whether nothing goes wrong on the way, mostly. */
  boolean isFair() {
    return weather.equals(Weather.fair(weather.halfTripMicros()));
  }

  /** How long what a process looked up may be believed after it was changed. */
  long believedNanos() {
    // A look-up may begin just before the change ends, and one that was about to be renewed is used
    // for as long again while somebody renews it.
    return 2 * configAgeMs * NANOS_PER_MS + 3_000 * NANOS_PER_MS;
  }

  /** The same while the store does not answer a look: then records of ten times the age will do. */
  long believedUnansweredNanos() {
    return 10 * configAgeMs * NANOS_PER_MS + USED_AGAIN_NANOS + 3_000 * NANOS_PER_MS;
  }
}
