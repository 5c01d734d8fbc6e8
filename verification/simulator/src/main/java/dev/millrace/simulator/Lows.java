package dev.millrace.simulator;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.simulator.oracle.ExactBucket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The least that each shard of some buckets had while somebody waited. A process that believes what
 * it saw of one shard before and of another after cannot believe that there is less.
 */
final class Lows {
  private final Map<BucketKey, Map<String, BucketState>> lowest = new HashMap<>();

  /** A shard was seen, or could be. */
  void saw(BucketState shard) {
    Map<String, BucketState> limits =
        lowest.computeIfAbsent(shard.key(), absent -> new HashMap<>());
    for (LimitState limit : shard.limits()) {
      limits.merge(limit.name(), shard, (a, b) -> ExactBucket.isLower(b, a, limit.name()) ? b : a);
    }
  }

  /** How long after {@code fromMs} all shards of a bucket have so much, at the latest. */
  long waitMs(BucketKey bucket, String limit, long milli, long fromMs) {
    List<BucketState> shards = new ArrayList<>();
    lowest.forEach(
        (key, limits) -> {
          BucketState shard = limits.get(limit);
          if (key.withShard(0).equals(bucket) && shard != null) {
            shards.add(shard);
          }
        });
    return shards.isEmpty() ? 0 : ExactBucket.waitMs(shards, limit, milli, fromMs);
  }
}
