package dev.millrace.dynamodb.internal.legacy;

import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;

/**
 * One limit of an old bucket, which may have a refill timestamp of its own.
 *
 * @param state the limit, its balance at {@code refilledAtMs} and its counter
 * @param refilledAtMs up to when credit has been claimed
 */
public record OldLimit(LimitState state, long refilledAtMs) {
  /** A timestamp further ahead than this is not a clock's honest difference: as limiters do. */
  static final long MAX_AHEAD_MS = 10_000;

  /** Whether the timestamp can be believed. */
  boolean isHonest(long nowMs) {
    return refilledAtMs <= SaturatedMath.add(nowMs, MAX_AHEAD_MS);
  }

  /**
   * The balance at {@code atMs}, which is at most {@code nowMs}. What was earned until then is
   * added, at most up to the ceiling. What was claimed ahead of it is taken back, so that claiming
   * it again yields what is stored; but for a timestamp that nobody believes, nothing is.
   */
  long balanceMilli(long atMs, long nowMs) {
    if (refilledAtMs == atMs) {
      return state.tokensMilli(); // above the ceiling after a refund; the next claim clips it
    }
    if (refilledAtMs < atMs) {
      return state.balanceMilli(ShardShare.WHOLE, refilledAtMs, atMs);
    }
    return isHonest(nowMs)
        ? SaturatedMath.subtract(
            state.tokensMilli(), state.creditMilli(ShardShare.WHOLE, atMs, refilledAtMs))
        : state.tokensMilli();
  }
}
