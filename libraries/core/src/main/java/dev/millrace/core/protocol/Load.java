package dev.millrace.core.protocol;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.WriteUnits;
import dev.millrace.core.plan.WritePlan;

/**
 * How hard a shard was written lately, by all processes together, as one write has found it: what
 * was taken from the reserved limit since its last claim.
 *
 * @param unitsMilli thousandths of write units
 * @param overMs in so many milliseconds; 0 when nothing was found out
 */
public record Load(long unitsMilli, long overMs) {
  /** Nothing was found out. */
  public static final Load NONE = new Load(0, 0);

  /** Shorter than this, one write more or less would say too much. */
  private static final long MIN_CONSUME_MS = 20;

  /** What a write that was made tells. */
  static Load of(WritePlan plan, BucketState after, WriteUnits partition, long nowMs) {
    if (plan instanceof WritePlan.Locked locked) {
      long beforeMilli = after.wcuMilli() - locked.addWcuMilli();
      long overMs = locked.refilledAtMs() - locked.expectedRefilledAtMs();
      return of(partition.fullMilli() - beforeMilli, overMs);
    }
    long overMs = nowMs - after.refilledAtMs();
    return plan instanceof WritePlan.Consume && overMs >= MIN_CONSUME_MS
        ? of(partition.fullMilli() - after.wcuMilli(), overMs)
        : NONE;
  }

  private static Load of(long unitsMilli, long overMs) {
    return overMs <= 0 ? NONE : new Load(Math.max(0, unitsMilli), overMs);
  }
}
