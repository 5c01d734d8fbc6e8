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
    return full(limit, Share.WHOLE);
  }

  /** A limit that nobody has touched, of a shard with {@code share}: at its ceiling. */
  public static LimitState full(Limit limit, Share share) {
    return new LimitState(limit, share.partOf(limit.burstMilli()), 0);
  }

  /** The name of the limit. */
  public String name() {
    return limit.name();
  }

  /**
   * What a shard with {@code share} earned since {@code refilledAtMs}, before it is clipped at the
   * ceiling.
   */
  public long creditMilli(Share share, long refilledAtMs, long nowMs) {
    return share.creditMilli(limit.refill(), refilledAtMs, nowMs);
  }

  /** The most that a shard with {@code share} can hold. */
  public long ceilingMilli(Share share) {
    return share.partOf(limit.burstMilli());
  }

  /** The balance at {@code nowMs}: what is stored and what was earned, at most the ceiling. */
  public long balanceMilli(Share share, long refilledAtMs, long nowMs) {
    return Math.min(
        SaturatedMath.add(tokensMilli, creditMilli(share, refilledAtMs, nowMs)),
        ceilingMilli(share));
  }
}
