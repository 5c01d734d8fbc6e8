package dev.millrace.simulator;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits that a bucket has had and was found without: taken out of it, or not put into the one that
 * was made after it had expired. What is settled for such a limit is dropped.
 */
final class GoneLimits {
  private static final long STILL = Long.MAX_VALUE;
  private static final long NEVER = Long.MIN_VALUE;

  /** Of every limit that a bucket ever had: until when it was without. */
  private final Map<BucketKey, Map<String, Long>> goneUntilNanos = new HashMap<>();

  /** A bucket was written, or deleted. */
  void wrote(BucketKey key, @Nullable BucketState after, long nowNanos) {
    if (after == null) {
      return; // what is settled next makes it anew
    }
    Map<String, Long> ofBucket = goneUntilNanos.computeIfAbsent(key, absent -> new HashMap<>());
    ofBucket.replaceAll(
        (limit, until) -> {
          if (after.find(limit) == null) {
            return STILL;
          }
          return until == STILL ? nowNanos : until;
        });
    for (LimitState limit : after.limits()) {
      ofBucket.putIfAbsent(limit.name(), NEVER);
    }
  }

  /** Whether a bucket may have been found without a limit since a moment. */
  boolean isGone(BucketKey key, String limit, long sinceNanos) {
    return goneUntilNanos.getOrDefault(key, Map.of()).getOrDefault(limit, NEVER) >= sinceNanos;
  }
}
