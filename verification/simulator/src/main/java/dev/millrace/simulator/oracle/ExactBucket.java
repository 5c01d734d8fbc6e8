package dev.millrace.simulator.oracle;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.math.BigInteger;
import java.util.List;

/**
 * The conclusions that a process may draw from a bucket as it last saw it: from all its shards
 * together, where it is divided.
 */
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

  /** What the shard earns of a limit up to {@code toMs}; for the whole bucket all of it. */
  public static long credit(BucketState shard, Limit limit, long toMs) {
    return Rest.of(shard).creditMilli(Rate.of(limit.refill()), shard.refilledAtMs(), toMs);
  }

  /** The balance at {@code nowMs}: what is stored and what was earned, at most the ceiling. */
  public static long balanceMilli(BucketState shard, LimitState limit, long nowMs) {
    long creditMilli = credit(shard, limit.limit(), nowMs);
    BigInteger sum = BigInteger.valueOf(limit.tokensMilli()).add(BigInteger.valueOf(creditMilli));
    long ceilingMilli = Rest.of(shard).of(limit.limit().burstMilli());
    return sum.min(BigInteger.valueOf(ceilingMilli)).longValueExact();
  }

  /** Whether a shard has less of a limit in one state than in another, at any time. */
  public static boolean isLower(BucketState one, BucketState other, String limit) {
    LimitState ones = one.find(limit);
    LimitState others = other.find(limit);
    if (ones == null || others == null) {
      return others == null && ones != null; // one that lacks it is full
    }
    long atMs = Math.max(one.refilledAtMs(), other.refilledAtMs());
    return ones.tokensMilli() + credit(one, ones.limit(), atMs)
        < others.tokensMilli() + credit(other, others.limit(), atMs);
  }

  /** What all shards together hold of a limit at {@code nowMs}; one that lacks it is full. */
  public static long balanceMilli(List<BucketState> shards, Limit limit, long nowMs) {
    long milli = 0;
    for (BucketState shard : shards) {
      LimitState stored = shard.find(limit.name());
      milli +=
          stored == null
              ? Rest.of(shard).of(limit.burstMilli())
              : balanceMilli(shard, stored, nowMs);
    }
    return milli;
  }

  /** Milliseconds in which a limit fills from nothing to its ceiling, and pays its debt before. */
  public static long fillMs(Limit limit, long tokensMilli) {
    BigInteger missing =
        BigInteger.valueOf(limit.burstMilli())
            .subtract(BigInteger.valueOf(Math.min(0, tokensMilli)));
    return Rate.of(limit.refill()).earnedAtMs(0, missing).min(LONGEST).longValueExact();
  }

  /**
   * The least number of milliseconds from {@code nowMs} after which all shards together hold {@code
   * requestedMilli}, if nobody else draws on them; {@link #NEVER} when they never will, because the
   * ceiling is lower. A refill timestamp that is ahead is waited for.
   */
  public static long waitMs(
      List<BucketState> shards, String limit, long requestedMilli, long nowMs) {
    if (shards.size() == 1) {
      return waitMs(shards.get(0), limit, requestedMilli, nowMs);
    }
    Limit whole = required(shards, limit);
    if (requestedMilli > whole.burstMilli()) {
      return NEVER;
    }
    if (balanceMilli(shards, whole, nowMs) >= requestedMilli) {
      return 0;
    }
    long tooEarlyMs = nowMs;
    long enoughMs = fullAtMs(shards, whole);
    while (enoughMs - tooEarlyMs > 1) { // ends: the distance halves
      long middleMs = tooEarlyMs + (enoughMs - tooEarlyMs) / 2;
      if (balanceMilli(shards, whole, middleMs) >= requestedMilli) {
        enoughMs = middleMs;
      } else {
        tooEarlyMs = middleMs;
      }
    }
    return enoughMs - nowMs;
  }

  private static Limit required(List<BucketState> shards, String limit) {
    for (BucketState shard : shards) {
      LimitState stored = shard.find(limit);
      if (stored != null) {
        return stored.limit();
      }
    }
    throw new IllegalArgumentException("no limit '" + limit + "' in " + shards);
  }

  /** When the last shard is full. */
  private static long fullAtMs(List<BucketState> shards, Limit limit) {
    BigInteger latest = BigInteger.ZERO;
    for (BucketState shard : shards) {
      LimitState stored = shard.find(limit.name());
      long ceilingMilli = Rest.of(shard).of(limit.burstMilli());
      if (stored != null && stored.tokensMilli() < ceilingMilli) {
        BigInteger missing =
            BigInteger.valueOf(ceilingMilli).subtract(BigInteger.valueOf(stored.tokensMilli()));
        Rate rate = Rate.of(stored.limit().refill());
        latest = latest.max(Rest.of(shard).earnedAtMs(rate, shard.refilledAtMs(), missing));
      }
    }
    return latest.min(LONGEST.shiftRight(1)).longValueExact();
  }

  /** The same for an undivided bucket. */
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
