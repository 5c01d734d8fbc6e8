package dev.millrace.simulator.oracle;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.limit.Limit;
import java.math.BigInteger;

/** What a process may conclude from a bucket as it last saw it. */
public final class ExactBucket {
  /** What {@link #waitMs} answers for a request that no waiting helps. */
  public static final long NEVER = -1;

  private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE);

  private ExactBucket() {}

  /**
   * {@code C(to) − C(from)}, exact; 0 when time did not advance. More than 2^62 is told as that:
   * every ceiling is below it.
   */
  public static long credit(Limit limit, long fromMs, long toMs) {
    return Rate.of(limit.refill()).creditMilli(fromMs, toMs);
  }

  /** The balance at {@code nowMs}: what is stored and what was earned, at most the ceiling. */
  public static long balanceMilli(BucketState state, LimitState limit, long nowMs) {
    long creditMilli = credit(limit.limit(), state.refilledAtMs(), nowMs);
    BigInteger sum = BigInteger.valueOf(limit.tokensMilli()).add(BigInteger.valueOf(creditMilli));
    return sum.min(BigInteger.valueOf(limit.limit().burstMilli())).longValueExact();
  }

  /** Milliseconds in which a limit fills from nothing to its ceiling, and pays its debt before. */
  public static long fillMs(Limit limit, long tokensMilli) {
    BigInteger missing =
        BigInteger.valueOf(limit.burstMilli())
            .subtract(BigInteger.valueOf(Math.min(0, tokensMilli)));
    return Rate.of(limit.refill()).earnedAtMs(0, missing).min(LONGEST).longValueExact();
  }

  /**
   * The least number of milliseconds from {@code nowMs} after which the balance is at least {@code
   * requestedMilli}, if nobody else draws on the bucket; {@link #NEVER} when it never will be,
   * because the ceiling is lower. A refill timestamp that is ahead is waited for.
   */
  public static long waitMs(BucketState state, String limit, long requestedMilli, long nowMs) {
    LimitState stored = state.find(limit);
    if (stored == null) {
      throw new IllegalArgumentException("no limit '" + limit + "' in " + state.key());
    }
    if (requestedMilli > stored.limit().burstMilli()) {
      return NEVER;
    }
    BigInteger missing =
        BigInteger.valueOf(requestedMilli).subtract(BigInteger.valueOf(stored.tokensMilli()));
    if (missing.signum() <= 0) {
      return 0;
    }
    return Rate.of(stored.limit().refill())
        .earnedAtMs(state.refilledAtMs(), missing)
        .subtract(BigInteger.valueOf(nowMs))
        .max(BigInteger.ZERO)
        .min(LONGEST)
        .longValueExact();
  }
}
