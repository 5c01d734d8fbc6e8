package dev.millrace.core.testing;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * What must hold of the shards of a bucket, and of a write that is made to them.
 *
 * <p>The <em>estate</em> of a limit at an instant is what its shards hold, what they will have
 * earned by then and what was ever consumed. Consuming, giving back, claiming, splitting and
 * merging all leave it as it is; clipping at a ceiling, and nothing else, lowers it; nothing raises
 * it. It is the ledger: what was granted and earned is there or was consumed.
 */
public final class ShardBooks {
  private ShardBooks() {}

  /**
   * P6: every millitoken of every limit is held by exactly one shard. Rests of the highest level
   * stand for all millitokens.
   */
  public static void checkPartition(List<BucketState> shards) {
    int highest = 1;
    for (BucketState shard : shards) {
      highest = Math.max(highest, shard.division().level());
    }
    int[] holders = new int[highest];
    for (BucketState shard : shards) {
      for (int rest = shard.key().shard(); rest < highest; rest += shard.division().level()) {
        holders[rest]++;
      }
    }
    for (int i = 0; i < highest; i++) {
      int rest = i;
      require(
          holders[rest] == 1, () -> "rest " + rest + " is held by " + holders[rest] + " shards");
    }
    for (LimitState limit : shards.get(0).limits()) {
      long wholeMilli = limit.limit().burstMilli();
      long sumMilli = sum(shards, shard -> shard.share().partOf(wholeMilli));
      require(
          sumMilli == wholeMilli, () -> limit.name() + " has " + sumMilli + " of " + wholeMilli);
    }
  }

  /**
   * A split moves what is stored from one to the other, and not a millitoken more or less. By any
   * instant the two can claim what the one could have claimed, or one millitoken less: when all but
   * one of the odd ones are with the shard that is full first.
   *
   * @param asPlanned whether the shard was met as it was when the split was planned; else one of
   *     the two may fill up long before the other
   */
  public static void checkSplit(
      List<BucketState> before, List<BucketState> after, boolean asPlanned, long laterMs) {
    require(after.size() == before.size() + 1, () -> "not split: " + after);
    for (String name : names(before)) {
      requireSame(name, "stored", storedMilli(before, name), storedMilli(after, name));
      requireSame(name, "consumed", consumedMilli(before, name), consumedMilli(after, name));
      requireNoNewDebt(before, after, name);
      long couldMilli = claimedMilli(before, name, laterMs);
      long canMilli = claimedMilli(after, name, laterMs);
      require(
          canMilli <= couldMilli, () -> name + ": " + canMilli + " where there were " + couldMilli);
      require(
          !asPlanned || canMilli >= couldMilli - 1,
          () -> name + ": " + canMilli + " are left of " + couldMilli);
    }
  }

  /**
   * A merge leaves what both could claim at its instant; never less, and more only by what was
   * given back to a full shard meanwhile and finds room in the other's half.
   *
   * @param refundedMilli what the parent held more than when the merge was planned, by limit
   */
  public static void checkMerge(
      List<BucketState> before,
      List<BucketState> after,
      ToLongFunction<String> refundedMilli,
      long claimedToMs) {
    require(after.size() == before.size() - 1, () -> "not merged: " + after);
    for (String name : names(before)) {
      requireSame(name, "consumed", consumedMilli(before, name), consumedMilli(after, name));
      requireNoNewDebt(before, after, name);
      long couldMilli = claimedMilli(before, name, claimedToMs);
      long canMilli = claimedMilli(after, name, claimedToMs);
      require(canMilli >= couldMilli, () -> name + ": " + canMilli + " are left of " + couldMilli);
      require(
          canMilli <= couldMilli + Math.max(0, refundedMilli.applyAsLong(name)),
          () -> name + ": " + canMilli + " where there were " + couldMilli);
    }
  }

  /** No write raises the estate; one that cannot clip leaves it. */
  public static void checkEstate(
      List<BucketState> before, List<BucketState> after, boolean mayClip, long laterMs) {
    for (String name : names(before)) {
      long hadMilli = estateMilli(before, name, laterMs);
      long hasMilli = estateMilli(after, name, laterMs);
      require(
          mayClip ? hasMilli <= hadMilli : hasMilli == hadMilli,
          () -> name + ": an estate of " + hasMilli + " where there was one of " + hadMilli);
    }
  }

  /** What all shards together will have claimed by an instant, each at most its ceiling. */
  public static long claimedMilli(List<BucketState> shards, String name, long atMs) {
    return sum(
        shards,
        shard -> limit(shard, name).balanceMilli(shard.share(), shard.refilledAtMs(), atMs));
  }

  public static long storedMilli(List<BucketState> shards, String name) {
    return sum(shards, shard -> limit(shard, name).tokensMilli());
  }

  public static long consumedMilli(List<BucketState> shards, String name) {
    return sum(shards, shard -> limit(shard, name).consumedMilli());
  }

  public static long estateMilli(List<BucketState> shards, String name, long atMs) {
    return storedMilli(shards, name)
        + consumedMilli(shards, name)
        + sum(
            shards,
            shard -> limit(shard, name).creditMilli(shard.share(), shard.refilledAtMs(), atMs));
  }

  /** Whether all shards have the same limits. */
  public static boolean agree(List<BucketState> shards) {
    for (BucketState shard : shards) {
      for (LimitState limit : shards.get(0).limits()) {
        if (!limit(shard, limit.name()).limit().equals(limit.limit())) {
          return false;
        }
      }
    }
    return true;
  }

  private static List<String> names(List<BucketState> shards) {
    return shards.get(0).limits().stream().map(LimitState::name).toList();
  }

  private static void requireNoNewDebt(
      List<BucketState> before, List<BucketState> after, String name) {
    require(!isOwed(after, name) || isOwed(before, name), () -> name + " is owed in " + after);
  }

  private static boolean isOwed(List<BucketState> shards, String name) {
    for (BucketState shard : shards) {
      if (limit(shard, name).tokensMilli() < 0) {
        return true;
      }
    }
    return false;
  }

  private static LimitState limit(BucketState shard, String name) {
    return Objects.requireNonNull(shard.find(name));
  }

  private static long sum(List<BucketState> shards, ToLongFunction<BucketState> milli) {
    long sum = 0;
    for (BucketState shard : shards) {
      sum += milli.applyAsLong(shard);
    }
    return sum;
  }

  private static void requireSame(String name, String what, long hadMilli, long hasMilli) {
    require(
        hadMilli == hasMilli,
        () -> name + " " + what + ": " + hasMilli + " where there were " + hadMilli);
  }

  /** The message is made only when it is needed: it is checked millions of times. */
  private static void require(boolean holds, Supplier<String> broken) {
    if (!holds) {
      throw new AssertionError(broken.get());
    }
  }
}
