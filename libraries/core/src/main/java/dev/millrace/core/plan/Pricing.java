package dev.millrace.core.plan;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.WriteUnits;
import org.jspecify.annotations.Nullable;

/**
 * Makes a write debit what it costs, in the reserved limit {@link WriteUnits}. Nothing is demanded
 * of that limit, so no write fails for it, and a claim of others that came between makes it a
 * little wrong until the next claim: it is a measure, not a promise.
 */
public final class Pricing {
  private Pricing() {}

  /**
   * The same plan, which also debits {@code units} and, where it claims, returns what the partition
   * has earned.
   *
   * @param from the bucket as it was when the write was planned, null when there was none
   * @param units what the write costs, and those before it that were refused
   */
  public static WritePlan priced(
      WritePlan plan, @Nullable BucketState from, int units, WriteUnits partition) {
    long costMilli = WriteUnits.costMilli(units);
    if (plan instanceof WritePlan.Locked locked) {
      long creditMilli =
          from == null
              ? 0
              : partition.creditMilli(from.wcuMilli(), from.refilledAtMs(), locked.refilledAtMs());
      return new WritePlan.Locked(
          locked.key(),
          locked.expectedRefilledAtMs(),
          locked.level(),
          locked.refilledAtMs(),
          locked.changes(),
          locked.parameters(),
          creditMilli + costMilli,
          locked.expiresAtSeconds(),
          locked.op());
    }
    if (plan instanceof WritePlan.Consume consume) {
      return new WritePlan.Consume(
          consume.key(),
          consume.minRefilledAtMs(),
          consume.level(),
          consume.changes(),
          costMilli,
          consume.expiresAtSeconds(),
          consume.op());
    }
    if (plan instanceof WritePlan.Adjust adjust) {
      return new WritePlan.Adjust(
          adjust.key(), adjust.changes(), costMilli, adjust.expiresAtSeconds(), adjust.op());
    }
    if (plan instanceof WritePlan.Create create) {
      BucketState state = create.state();
      return new WritePlan.Create(state.withWcuMilli(partition.fullMilli() + costMilli));
    }
    if (plan instanceof WritePlan.Resize resize) {
      return new WritePlan.Resize(
          resize.key(), resize.expectedCount(), resize.count(), costMilli, resize.op());
    }
    return plan;
  }
}
