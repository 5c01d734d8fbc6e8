package dev.millrace.admin;

import dev.millrace.core.limit.SaturatedMath;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Usage of several pieces of time or of several entities together.
 *
 * @param pieces of how many; those without any usage do not count
 * @param events how many writes of buckets it comes from
 * @param limits the sums of each limit
 */
public record UsageSummary(long pieces, long events, Map<String, Total> limits) {
  /** Of nothing. */
  public static final UsageSummary NONE = new UsageSummary(0, 0, Map.of());

  /** Keeps the sums as they are now. */
  public UsageSummary {
    limits = Map.copyOf(limits);
  }

  /**
   * The sums of one limit.
   *
   * @param totalMilli millitokens, less what was given back
   * @param peakMilli the most of one piece
   * @param peakEntityId whose piece that is
   * @param peakStart when it begins
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

  /** Millitokens of {@code limit}, none when it was not used. */
  public long milli(String limit) {
    Total total = limits.get(limit);
    return total == null ? 0 : total.totalMilli;
  }

  /** These and one piece more. */
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
