package dev.millrace.core.spi.bucket;

import dev.millrace.Limit.Refill;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState.Division;

/**
 * The part of a limit that one shard of a bucket holds: of the millitokens 0, 1, 2, … those whose
 * number leaves the rest {@code shard} when it is divided by {@code level}.
 *
 * <p>That is true of what a bucket can hold and of what it earns alike, so nothing has to be
 * rounded: shards whose rests do not overlap never hold or earn the same millitoken, and shards
 * that together have every rest hold and earn all of them. The rest {@code s} of {@code l} is the
 * same as the rests {@code s} and {@code s + l} of {@code 2l}: that is how a shard is split in two,
 * and how two become one again. A limit of 10 over 8 shards still is 10.
 *
 * @param shard the rest, below the level
 * @param level a power of two; 1 is the whole
 */
public record ShardShare(int shard, int level) {
  /** All of it: the share of a bucket that is not divided. */
  public static final ShardShare WHOLE = new ShardShare(0, 1);

  /** Checks the range. */
  public ShardShare {
    Division.requirePower("level", level);
    if (shard < 0 || shard >= level) {
      throw new IllegalArgumentException(
          "shard " + shard + " must be from 0 to below its level " + level);
    }
  }

  /** A share. */
  public static ShardShare of(int shard, int level) {
    return level == 1 && shard == 0 ? WHOLE : new ShardShare(shard, level);
  }

  /** How many of {@code wholeMilli} millitokens are the shard's; of a debt likewise. */
  public long partOf(long wholeMilli) {
    if (level == 1) {
      return wholeMilli;
    }
    return wholeMilli < 0 ? -count(SaturatedMath.subtract(0, wholeMilli), 0) : count(wholeMilli, 0);
  }

  /**
   * What the shard earns from {@code fromMs} to {@code toMs}: additive, like {@link
   * Refill#creditMilli}, and over all shards the same as that.
   */
  public long creditMilli(Refill refill, long fromMs, long toMs) {
    long wholeMilli = refill.creditMilli(fromMs, toMs);
    if (level == 1 || wholeMilli == 0) {
      return wholeMilli;
    }
    return wholeMilli == Long.MAX_VALUE
        ? Long.MAX_VALUE / level
        : count(wholeMilli, refill.earnedModulo(fromMs, level));
  }

  /** The first instant at which the shard has earned {@code neededMilli} since {@code fromMs}. */
  public long earnedAtMs(Refill refill, long fromMs, long neededMilli) {
    if (level == 1 || neededMilli <= 0) {
      return refill.earnedAtMs(fromMs, neededMilli);
    }
    long first = firstOwn(refill.earnedModulo(fromMs, level));
    long wholeMilli = SaturatedMath.add(SaturatedMath.multiply(neededMilli - 1, level), first + 1);
    return refill.earnedAtMs(fromMs, wholeMilli);
  }

  /** How many of the {@code many} numbers from {@code from} on are the shard's. */
  private long count(long many, int from) {
    long first = firstOwn(from);
    return many <= first ? 0 : (many - first - 1) / level + 1;
  }

  /** How far the first number of the shard is from one that leaves the rest {@code from}. */
  private long firstOwn(int from) {
    return Math.floorMod(shard - from, level);
  }
}
