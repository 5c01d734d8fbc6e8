package dev.millrace.core.bucket;

import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.SaturatedMath;

/**
 * One limit of a bucket as it was last written.
 *
 * @param limit the parameters that the bucket was last given
 * @param tokensMilli the balance at the bucket's refill timestamp; below zero is debt
 * @param consumedMilli everything that was ever consumed, less what was given back
 */
public record LimitState(Limit limit, long tokensMilli, long consumedMilli) {
  /** A limit that nobody has touched: at its ceiling. */
  public static LimitState full(Limit limit) {
    return new LimitState(limit, limit.burstMilli(), 0);
  }

  /** The name of the limit. */
  public String name() {
    return limit.name();
  }

  /** The credit of the time since {@code refilledAtMs}, before it is clipped at the ceiling. */
  public long creditMilli(long refilledAtMs, long nowMs) {
    return limit.refill().creditMilli(refilledAtMs, nowMs);
  }

  /** The balance at {@code nowMs}: what is stored and what was earned, at most the ceiling. */
  public long balanceMilli(long refilledAtMs, long nowMs) {
    return Math.min(
        SaturatedMath.add(tokensMilli, creditMilli(refilledAtMs, nowMs)), limit.burstMilli());
  }
}
