package dev.millrace.admin;

import dev.millrace.core.internal.SaturatedMath;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * The usage of several windows or of several entities together.
 *
 * @param pieces the number of (entity, window) pairs; those without any usage do not count
 * @param events the number of bucket writes that it comes from
 * @param limits the sums of each limit
 */
public record UsageSummary(long pieces, long events, Map<String, Total> limits) {
  /** The empty summary. */
  public static final UsageSummary NONE = new UsageSummary(0, 0, Map.of());

  public UsageSummary {
    limits = Map.copyOf(limits);
  }

  /**
   * The sums of one limit.
   *
   * @param totalMilli millitokens, less refunds
   * @param peakMilli the most in one window
   * @param peakEntityId the entity of that window
   * @param peakStart the beginning of that window
   */
  public record Total(long totalMilli, long peakMilli, String peakEntityId, Instant peakStart) {
    private Total plus(Total other) {
      Total peak = other.peakMilli > peakMilli ? other : this;
      return new Total(
          SaturatedMath.add(totalMilli, other.totalMilli),
          peak.peakMilli,
          peak.peakEntityId,
          peak.peakStart);
    }
  }

  /** Millitokens of {@code limit}, zero when it was not used. */
  public long milli(String limit) {
    Total total = limits.get(limit);
    return total == null ? 0 : total.totalMilli;
  }

  /** This summary plus one more item. */
  UsageSummary plus(Usage usage) {
    Map<String, Total> sums = new HashMap<>(limits);
    usage
        .totalMilli()
        .forEach(
            (limit, milli) ->
                sums.merge(
                    limit, new Total(milli, milli, usage.entityId(), usage.start()), Total::plus));
    return new UsageSummary(pieces + 1, events + usage.events(), sums);
  }
}
