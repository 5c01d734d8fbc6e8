package dev.millrace.simulator;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits that a bucket, or a shard of it, has had and was found without: taken out of it, or not
 * put into the one that was made after it had expired. What is settled for such a limit is dropped.
 */
final class GoneLimits {
  private static final long STILL = Long.MAX_VALUE;

  /** Of every limit that a bucket ever had: until when each of its shards was without. */
  private final Map<BucketKey, Map<String, Map<Integer, Long>>> goneUntilNanos = new HashMap<>();

  /** A shard was written, or deleted. */
  void wrote(BucketKey key, @Nullable BucketState after, long nowNanos) {
    Map<String, Map<Integer, Long>> ofBucket =
        goneUntilNanos.computeIfAbsent(key.withShard(0), absent -> new HashMap<>());
    if (after == null) {
      if (key.shard() != 0) { // what is settled for it goes to another
        ofBucket.values().forEach(shards -> shards.replace(key.shard(), STILL, nowNanos));
      }
      return; // what is settled next for a bucket makes it anew
    }
    for (LimitState limit : after.limits()) {
      ofBucket.computeIfAbsent(limit.name(), absent -> new HashMap<>());
    }
    ofBucket.forEach(
        (limit, shards) -> {
          if (after.find(limit) == null) {
            shards.put(key.shard(), STILL);
          } else {
            shards.replace(key.shard(), STILL, nowNanos);
          }
        });
  }

  /** Whether a shard of a bucket may have been found without a limit since a moment. */
  boolean isGone(BucketKey key, String limit, long sinceNanos) {
    Map<Integer, Long> shards =
        goneUntilNanos.getOrDefault(key.withShard(0), Map.of()).getOrDefault(limit, Map.of());
    for (long untilNanos : shards.values()) {
      if (untilNanos >= sinceNanos) {
        return true;
      }
    }
    return false;
  }
}
