package dev.millrace.testkit;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.Division;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.bucket.Share;
import dev.millrace.core.bucket.WriteUnits;
import dev.millrace.core.plan.LimitChange;
import dev.millrace.core.plan.Pricing;
import dev.millrace.core.plan.WritePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random divisions of buckets into shards, and the writes that split and merge them. */
final class ShardGen {
  /** The highest power of two that is a number of shards. */
  private static final int MAX_POWER = Integer.numberOfTrailingZeros(BucketKey.MAX_SHARDS);

  private static final int MAX_UNITS = 24;

  private ShardGen() {}

  /** The lowest level that a shard can have: that at which it was split off. */
  static int leastLevel(int shard) {
    return shard == 0 ? 1 : 2 * Integer.highestOneBit(shard);
  }

  /** A shard: mostly the first, else a low one or any. */
  static int shard(RandomGenerator random) {
    if (!Gen.oneIn(random, 4)) {
      return 0;
    }
    return random.nextInt(random.nextBoolean() ? 8 : BucketKey.MAX_SHARDS);
  }

  /** A number of shards or a level: mostly a low one. */
  static int power(RandomGenerator random) {
    return 1 << random.nextInt(Gen.oneIn(random, 4) ? MAX_POWER + 1 : 4);
  }

  /** A division that the shard can have: of the first one mostly none. */
  static Division division(RandomGenerator random, int shard) {
    if (shard == 0 && !Gen.oneIn(random, 4)) {
      return Division.NONE;
    }
    return Division.of(power(random), Math.max(leastLevel(shard), power(random)));
  }

  /** The level itself or one beside it. */
  static int besideLevel(RandomGenerator random, int level) {
    return switch (random.nextInt(3)) {
      case 0 -> Math.max(1, level / 2);
      case 1 -> Math.min(BucketKey.MAX_SHARDS, level * 2);
      default -> level;
    };
  }

  /** A balance of the reserved limit: mostly full, else somewhere on either side of nothing. */
  static long wcuMilli(RandomGenerator random) {
    long fullMilli = WriteUnits.DYNAMODB.fullMilli();
    return switch (random.nextInt(4)) {
      case 0 -> Gen.magnitude(random, 0, fullMilli);
      case 1 -> -Gen.magnitude(random, 0, fullMilli);
      default -> fullMilli;
    };
  }

  /** The plan with its price, mostly; now and then one that costs nothing. */
  static WritePlan priced(RandomGenerator random, WritePlan plan, BucketState seen) {
    return Gen.oneIn(random, 4)
        ? plan
        : Pricing.priced(plan, seen, 1 + random.nextInt(MAX_UNITS), WriteUnits.DYNAMODB);
  }

  /** A change of the number of shards, where the bucket that was seen decides about it. */
  static WritePlan resizeOr(
      RandomGenerator random, BucketState seen, WritePlan otherwise, String op) {
    return seen.key().shard() == 0
        ? new WritePlan.Resize(
            seen.key(), seen.shardCount(), power(random), /* addWcuMilli= */ 0, op)
        : otherwise;
  }

  /**
   * Splits a shard: the other half of its share, and of its balance, becomes a shard of its own. At
   * the deepest level, where there is nothing left to split, it only stamps the shard.
   */
  static List<WritePlan> split(BucketState parent, String op) {
    int level = parent.division().level();
    if (level == BucketKey.MAX_SHARDS) {
      return List.of(regrouped(parent, parent.division(), List.of(), op));
    }
    Division deeper = parent.division().withLevel(2 * level);
    BucketKey child = parent.key().withShard(parent.key().shard() + level);
    List<LimitChange> changes = new ArrayList<>();
    List<LimitState> limits = new ArrayList<>();
    for (LimitState limit : parent.limits()) {
      long halfMilli = Share.of(1, 2).partOf(limit.tokensMilli());
      changes.add(
          new LimitChange(
              limit.name(), -halfMilli, 0, limit.tokensMilli(), LimitChange.NO_CEILING));
      limits.add(new LimitState(limit.limit(), halfMilli, 0));
    }
    return List.of(
        regrouped(parent, deeper, changes, op),
        new WritePlan.Create(
            new BucketState(
                child,
                parent.refilledAtMs(),
                limits,
                deeper,
                WriteUnits.DYNAMODB.fullMilli(),
                BucketState.NEVER,
                op,
                parent.standing())));
  }

  /**
   * Merges a shard into the one that it was split off: what it holds and what it has counted goes
   * over, of the limits that both have.
   */
  static List<WritePlan> merge(BucketState parent, BucketState child, String op) {
    List<LimitChange> changes = new ArrayList<>();
    for (LimitState limit : child.limits()) {
      if (parent.find(limit.name()) != null) {
        changes.add(
            LimitChange.unconditional(limit.name(), limit.tokensMilli(), limit.consumedMilli()));
      }
    }
    int level = Integer.highestOneBit(child.key().shard());
    return List.of(
        regrouped(parent, parent.division().withLevel(level), changes, op),
        new WritePlan.Remove(child.key(), child.op(), op));
  }

  private static WritePlan regrouped(
      BucketState shard, Division division, List<LimitChange> changes, String op) {
    return new WritePlan.Locked(
        shard.key(),
        shard.refilledAtMs(),
        shard.division().level(),
        shard.refilledAtMs(),
        changes,
        WritePlan.Parameters.dividing(division),
        WriteUnits.costMilli(2),
        BucketState.NEVER,
        op);
  }
}
