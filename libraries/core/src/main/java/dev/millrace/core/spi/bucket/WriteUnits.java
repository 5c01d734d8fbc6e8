package dev.millrace.core.spi.bucket;

import dev.millrace.Limit;
import dev.millrace.core.internal.SaturatedMath;

/**
 * The reserved limit {@code wcu} that every shard has beside its own: the write units that the
 * store's partition bears. Every write debits what it costs, and claims return it at the rate at
 * which the partition does, so its balance tells how hard a shard is written: below zero it is
 * written faster than one partition bears for long.
 *
 * <p>It decides nothing about any request, is never divided and never shown: no condition, status,
 * lease or view has it.
 *
 * @param perSecond write units that one partition bears in a second, and at most so many at once
 */
public record WriteUnits(int perSecond) {
  /** The name that no user's limit can have. */
  public static final String NAME = "wcu";

  /** What DynamoDB gives one partition. */
  public static final WriteUnits DYNAMODB = new WriteUnits(1_000);

  private static final int MAX_PER_SECOND = 1_000_000;

  /** Checks the range. */
  public WriteUnits {
    if (perSecond < 1 || perSecond > MAX_PER_SECOND) {
      throw new IllegalArgumentException(
          "write units a second " + perSecond + " must be from 1 to " + MAX_PER_SECOND);
    }
  }

  /** The balance of a shard that nobody has written lately. */
  public long fullMilli() {
    return perSecond * Limit.MILLI;
  }

  /** What a write adds to the balance when it costs {@code units}: less than nothing. */
  public static long costMilli(int units) {
    return -units * Limit.MILLI;
  }

  /** What is earned from {@code fromMs} to {@code toMs} by a shard that stands at a balance. */
  public long creditMilli(long balanceMilli, long fromMs, long toMs) {
    // So many a second are as many thousandths a millisecond.
    long creditMilli = SaturatedMath.multiply(Math.max(0, toMs - fromMs), perSecond);
    // Less than nothing for a balance of days when the partition was said to bear more.
    return Math.min(creditMilli, SaturatedMath.subtract(perSecond * Limit.MILLI, balanceMilli));
  }

  /** Whether the shard is written faster than its partition bears for long. */
  public boolean isSpent(BucketState state, long nowMs) {
    long balanceMilli = state.wcuMilli();
    return SaturatedMath.add(balanceMilli, creditMilli(balanceMilli, state.refilledAtMs(), nowMs))
        < 0;
  }
}
