package dev.millrace.simulator;

import dev.millrace.BucketKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which buckets a process is writing, and which it has written from two sides at once. Of such
 * writes no reply tells which was made last: the one that comes last is believed.
 */
final class ConcurrentWrites {
  private final Map<BucketKey, Integer> underWay = new HashMap<>();
  private final Set<BucketKey> twofold = new HashSet<>();
  private final Map<BucketKey, Long> twofoldNanos = new HashMap<>();

  /** A write of a bucket leaves. */
  void sent(BucketKey key) {
    if (underWay.merge(key, 1, Integer::sum) > 1) {
      twofold.add(key);
    }
  }

  /** A write of a bucket is answered. */
  void heard(BucketKey key, long nowNanos) {
    if (twofold.contains(key)) {
      twofoldNanos.put(key, nowNanos);
    }
    if (underWay.merge(key, -1, (a, b) -> a + b == 0 ? null : a + b) == null) {
      twofold.remove(key);
    }
  }

  /** Whether a reply of two writes at once came in after a moment. */
  boolean wasTwofold(BucketKey key, long sinceNanos) {
    Long nanos = twofoldNanos.get(key);
    return nanos != null && nanos > sinceNanos;
  }
}
