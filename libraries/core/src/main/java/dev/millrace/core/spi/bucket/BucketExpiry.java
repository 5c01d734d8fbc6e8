package dev.millrace.core.spi.bucket;

import dev.millrace.Limit;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState.LimitState;

/**
 * The time after which an idle bucket may be forgotten: after seven times the time in which it
 * fills to the ceiling, at least an hour. By then it is full, so a new one in its place is the same
 * bucket. A bucket in debt takes longer to fill, so its debt is counted in: forgetting must not
 * forgive.
 *
 * <p>Rounded up to whole seconds: the store never forgets early.
 */
public final class BucketExpiry {
  /** How many times the time to fill. */
  public static final int FILLS = 7;

  /** Shortest life of an idle bucket. */
  public static final long MIN_LIFE_SECONDS = 3_600;

  /** The year 9999: later than that is never, and DynamoDB reads seconds, not centuries. */
  private static final long LATEST_SECONDS = 253_402_300_799L;

  private BucketExpiry() {}

  /** Epoch seconds at which a bucket that holds {@code balances} at {@code nowMs} may go. */
  public static long expiresAtSeconds(long nowMs, Iterable<LimitState> balances) {
    long longestFillMs = 0;
    for (LimitState state : balances) {
      longestFillMs = Math.max(longestFillMs, timeToFillMs(state.limit(), state.tokensMilli()));
    }
    return expiresAtSeconds(nowMs, longestFillMs);
  }

  /** The time in which a limit fills to its ceiling from nothing, or from its debt. */
  public static long timeToFillMs(Limit limit, long tokensMilli) {
    long debtMilli = SaturatedMath.subtract(0, Math.min(0, tokensMilli));
    return limit.refill().timeToEarnMs(SaturatedMath.add(limit.burstMilli(), debtMilli));
  }

  /** The same for a known time to fill. */
  public static long expiresAtSeconds(long nowMs, long timeToFillMs) {
    long lifeSeconds = SaturatedMath.ceilDivide(SaturatedMath.multiply(timeToFillMs, FILLS), 1_000);
    long seconds =
        SaturatedMath.add(
            SaturatedMath.ceilDivide(nowMs, 1_000), Math.max(MIN_LIFE_SECONDS, lifeSeconds));
    return Math.min(seconds, LATEST_SECONDS);
  }
}
