package dev.millrace.simulator.oracle;

import dev.millrace.core.spi.bucket.BucketState;
import java.math.BigInteger;

/**
 * The part of a limit that one shard has: of its millitokens, counted from 0, those whose number
 * leaves the rest {@code shard} when it is divided by {@code level}. It is the same for what a
 * bucket can hold and for what it has earned since the epoch.
 *
 * <p>Of the numbers below x, {@code floor((x + level − 1 − shard) / level)} are such; what is
 * earned is the difference of two of those. Of the first of them only the remainder matters.
 */
record Rest(int shard, int level) {
  static final Rest WHOLE = new Rest(0, 1);

  static Rest of(BucketState state) {
    int level = state.division().level();
    return level == 1 ? WHOLE : new Rest(state.key().shard(), level);
  }

  boolean isWhole() {
    return level == 1;
  }

  /** How many of the first {@code milli} are the shard's. */
  long of(long milli) {
    return level == 1 ? milli : Math.floorDiv(milli + level - 1 - shard, (long) level);
  }

  /** What the shard earns; 0 when time did not advance. */
  long creditMilli(Rate rate, long fromMs, long toMs) {
    long wholeMilli = rate.creditMilli(fromMs, toMs);
    if (level == 1 || wholeMilli == 0) {
      return wholeMilli;
    }
    if (wholeMilli == Rate.MOST_MILLI) {
      return Rate.MOST_MILLI / level; // more than any ceiling
    }
    long beforeMilli = rate.cumulatedModulo(fromMs, level);
    return of(beforeMilli + wholeMilli) - of(beforeMilli);
  }

  /** The first millisecond at which the shard has earned a positive {@code milli}. */
  BigInteger earnedAtMs(Rate rate, long fromMs, BigInteger milli) {
    if (level == 1) {
      return rate.earnedAtMs(fromMs, milli);
    }
    long foreignMilli = Math.floorMod(shard - rate.cumulatedModulo(fromMs, level), (long) level);
    BigInteger wholeMilli =
        milli
            .subtract(BigInteger.ONE)
            .multiply(BigInteger.valueOf(level))
            .add(BigInteger.valueOf(foreignMilli + 1));
    return rate.earnedAtMs(fromMs, wholeMilli);
  }
}
