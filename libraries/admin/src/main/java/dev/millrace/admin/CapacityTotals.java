package dev.millrace.admin;

import dev.millrace.core.internal.SaturatedMath;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sums over buckets, by the name of the limit.
 *
 * @param buckets the number of buckets, not of shards
 * @param limits the sums of each limit
 */
public record CapacityTotals(long buckets, Map<String, Total> limits) {
  /** Of no buckets. */
  public static final CapacityTotals NONE = new CapacityTotals(0, Map.of());

  public CapacityTotals {
    limits = Map.copyOf(limits);
  }

  /**
   * The sums of one limit.
   *
   * @param buckets the number of buckets that have the limit
   */
  public record Total(long buckets, long capacityMilli, long availableMilli, long usedMilli) {
    private Total plus(Total other) {
      return new Total(
          buckets + other.buckets,
          SaturatedMath.add(capacityMilli, other.capacityMilli),
          SaturatedMath.add(availableMilli, other.availableMilli),
          SaturatedMath.add(usedMilli, other.usedMilli));
    }
  }

  /** The sums of some buckets. */
  public static CapacityTotals of(List<BucketReport> buckets) {
    CapacityTotals totals = NONE;
    for (BucketReport bucket : buckets) {
      totals = totals.plus(bucket);
    }
    return totals;
  }

  private CapacityTotals plus(BucketReport bucket) {
    Map<String, Total> own = new TreeMap<>();
    for (BucketReport.Balance limit : bucket.limits()) {
      own.put(
          limit.limit().name(),
          new Total(1, limit.limit().capacityMilli(), limit.availableMilli(), limit.usedMilli()));
    }
    return plus(new CapacityTotals(1, own));
  }

  /** The sum of both. */
  public CapacityTotals plus(CapacityTotals other) {
    Map<String, Total> sums = new TreeMap<>(limits);
    other.limits.forEach((limit, total) -> sums.merge(limit, total, Total::plus));
    return new CapacityTotals(buckets + other.buckets, sums);
  }
}
