package dev.millrace.dynamodb.internal.legacy;

import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketExpiry;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns a bucket of an old schema into one of today's. Pure.
 *
 * <p>A bucket of version 2 has one refill timestamp for all limits, as today's have: its balances,
 * counters, parameters and timestamp are taken over as they are, and what it has earned since is
 * claimed by the next write like any other credit. Nothing is rounded, so nothing is made or lost.
 *
 * <p>In version 1 each limit has its own timestamp. The bucket gets the latest of them, and every
 * other limit is brought up to it: {@code credit} is additive, so claiming a part now and the rest
 * later is the same as claiming all of it later. A timestamp in the future is not taken, because it
 * would credit the other limits with time that has not come.
 *
 * <p>The bucket follows no configuration yet. The first acquire finds that its limits are not the
 * present ones and reparameterises it, in the write that it makes anyway: refill to now at the old
 * rate, balances clipped to the new ceilings, limits that are missing added, limits that are gone
 * removed. So there is one rule for limits that change, whether or not a migration came between.
 */
public final class CarryOver {
  private CarryOver() {}

  /**
   * The bucket as it is to be stored.
   *
   * @param nowMs the store's time; only timestamps in the future are judged by it
   * @param op the id of the write
   */
  public static BucketState state(OldBucket old, long nowMs, String op) {
    long refilledAtMs = refilledAtMs(old.limits(), nowMs);
    List<LimitState> limits = new ArrayList<>(old.limits().size());
    for (OldLimit limit : old.limits()) {
      LimitState state = limit.state();
      limits.add(
          new LimitState(
              state.limit(), limit.balanceMilli(refilledAtMs, nowMs), state.consumedMilli()));
    }
    long expiresAtSeconds =
        old.expires() ? BucketExpiry.expiresAtSeconds(nowMs, limits) : BucketState.NEVER;
    return new BucketState(old.key(), refilledAtMs, limits, expiresAtSeconds, op);
  }

  /** The timestamp that all limits share from now on. */
  private static long refilledAtMs(List<OldLimit> limits, long nowMs) {
    long first = limits.get(0).refilledAtMs();
    if (limits.stream().allMatch(limit -> limit.refilledAtMs() == first)) {
      return first; // wild or not: limiters heal it
    }
    long latest =
        limits.stream()
            .filter(limit -> limit.isHonest(nowMs))
            .mapToLong(OldLimit::refilledAtMs)
            .max()
            .orElse(nowMs);
    return Math.min(latest, nowMs);
  }

  /**
   * What a bucket that was made meanwhile, full, has too much: by limit, in millitokens, what the
   * old one lacked at {@code nowMs}.
   */
  public static Map<String, Long> lackingMilli(OldBucket old, long nowMs) {
    Map<String, Long> lacking = new LinkedHashMap<>();
    for (OldLimit limit : old.limits()) {
      long balanceMilli = limit.balanceMilli(nowMs, nowMs);
      long ceilingMilli = limit.state().limit().burstMilli();
      lacking.put(
          limit.state().name(), Math.max(0, SaturatedMath.subtract(ceilingMilli, balanceMilli)));
    }
    return lacking;
  }
}
