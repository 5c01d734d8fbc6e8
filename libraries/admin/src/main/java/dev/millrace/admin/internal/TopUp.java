package dev.millrace.admin.internal;

import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The division of a top-up among the shards of a bucket. Each gets its share of the amount, so that
 * the parts add up to the whole; what does not fit into one shard goes to those with room. So a
 * bucket gets as much as it would undivided.
 */
final class TopUp {
  private TopUp() {}

  /**
   * The part of each shard, in their order; zero for a limit that a shard does not have.
   *
   * @param shards all shards of a bucket
   * @param amountsMilli by limit
   */
  static List<Map<String, Long>> parts(
      List<BucketState> shards, Map<String, Long> amountsMilli, long nowMs) {
    List<Map<String, Long>> parts = new ArrayList<>(shards.size());
    shards.forEach(shard -> parts.add(new HashMap<>()));
    amountsMilli.forEach(
        (limit, milli) -> {
          long[] each = parts(shards, limit, milli, nowMs);
          for (int i = 0; i < each.length; i++) {
            if (shards.get(i).find(limit) != null) {
              parts.get(i).put(limit, each[i]);
            }
          }
        });
    return parts;
  }

  private static long[] parts(List<BucketState> shards, String limit, long milli, long nowMs) {
    long[] roomMilli = new long[shards.size()];
    long[] partMilli = new long[shards.size()];
    long leftMilli = milli;
    for (int i = 0; i < partMilli.length; i++) {
      roomMilli[i] = roomMilli(shards.get(i), limit, nowMs);
      partMilli[i] = Math.min(roomMilli[i], shards.get(i).share().partOf(milli));
      leftMilli -= partMilli[i];
    }
    for (int i = 0; i < partMilli.length; i++) {
      long moreMilli = Math.min(leftMilli, roomMilli[i] - partMilli[i]);
      partMilli[i] += moreMilli;
      leftMilli -= moreMilli;
    }
    return partMilli;
  }

  /** A limit that the shard does not have would start full there. */
  private static long roomMilli(BucketState shard, String limit, long nowMs) {
    LimitState stored = shard.find(limit);
    return stored == null
        ? 0
        : SaturatedMath.subtract(
            stored.ceilingMilli(shard.share()),
            stored.balanceMilli(shard.share(), shard.refilledAtMs(), nowMs));
  }
}
