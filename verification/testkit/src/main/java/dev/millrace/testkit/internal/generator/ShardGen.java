package dev.millrace.testkit.internal.generator;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.ShardWrites;
import dev.millrace.core.spi.plan.WritePlan;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Random divisions of buckets into shards, and the writes that split and merge them. */
public final class ShardGen {
  /** The highest power of two that is a number of shards. */
  private static final int MAX_POWER = Integer.numberOfTrailingZeros(BucketKey.MAX_SHARDS);

  private static final int MAX_UNITS = 24;

  private ShardGen() {}

  /** The lowest level that a shard can have: that at which it was split off. */
  public static int leastLevel(int shard) {
    return shard == 0 ? 1 : 2 * Integer.highestOneBit(shard);
  }

  /** A shard: mostly the first, else a low one or any. */
  public static int shard(RandomGenerator random) {
    if (!Gen.oneIn(random, 4)) {
      return 0;
    }
    return random.nextInt(random.nextBoolean() ? 8 : BucketKey.MAX_SHARDS);
  }

  /** A number of shards or a level: mostly a low one. */
  public static int power(RandomGenerator random) {
    return 1 << random.nextInt(Gen.oneIn(random, 4) ? MAX_POWER + 1 : 4);
  }

  /** A division that the shard can have: of the first one mostly none. */
  public static Division division(RandomGenerator random, int shard) {
    if (shard == 0 && !Gen.oneIn(random, 4)) {
      return Division.NONE;
    }
    return Division.of(power(random), Math.max(leastLevel(shard), power(random)));
  }

  /** The level itself or one beside it. */
  public static int besideLevel(RandomGenerator random, int level) {
    return switch (random.nextInt(3)) {
      case 0 -> Math.max(1, level / 2);
      case 1 -> Math.min(BucketKey.MAX_SHARDS, level * 2);
      default -> level;
    };
  }

  /** A balance of the reserved limit: mostly full, else somewhere on either side of nothing. */
  public static long wcuMilli(RandomGenerator random) {
    long fullMilli = WriteUnits.DYNAMODB.fullMilli();
    return switch (random.nextInt(4)) {
      case 0 -> Gen.magnitude(random, 0, fullMilli);
      case 1 -> -Gen.magnitude(random, 0, fullMilli);
      default -> fullMilli;
    };
  }

  /** The plan with its price, mostly; now and then one that costs nothing. */
  public static WritePlan priced(RandomGenerator random, WritePlan plan, BucketState seen) {
    return Gen.oneIn(random, 4)
        ? plan
        : plan.priced(seen, 1 + random.nextInt(MAX_UNITS), WriteUnits.DYNAMODB);
  }

  /** A change of the number of shards, where the bucket that was seen decides about it. */
  public static WritePlan resizeOr(
      RandomGenerator random, BucketState seen, WritePlan otherwise, String op) {
    return seen.key().shard() == 0
        ? new WritePlan.Resize(
            seen.key(), seen.shardCount(), power(random), /* addWcuMilli= */ 0, op)
        : otherwise;
  }

  /** Another level of a shard, mostly for the count that it has. */
  public static Division divided(RandomGenerator random, BucketState shard) {
    Division other = division(random, shard.key().shard());
    return Gen.oneIn(random, 4) ? other : other.withCount(shard.shardCount());
  }

  /** The writes that split {@code parent}; null when it cannot be split any further. */
  public static @Nullable List<WritePlan> split(BucketState parent, Supplier<String> ops) {
    return parent.division().level() == BucketKey.MAX_SHARDS
        ? null
        : ShardWrites.split(parent, parent.shardCount(), WriteUnits.DYNAMODB, ops);
  }

  /**
   * The writes that merge {@code child} into {@code parent}, now and then after a write of the
   * child that never was; null when they do not fit.
   */
  public static @Nullable List<WritePlan> merge(
      RandomGenerator random, BucketState parent, BucketState child, Supplier<String> ops) {
    boolean fit =
        !parent.division().isWhole()
            && ShardWrites.lastChildOf(parent).equals(child.key())
            && child.division().level() == parent.division().level();
    long nowMs = parent.refilledAtMs() + Gen.stepMs(random);
    List<WritePlan> plans =
        fit ? ShardWrites.merge(parent, child, nowMs, PlanSettings.DEFAULT, ops) : null;
    return plans == null || !Gen.oneIn(random, 4)
        ? plans
        : List.of(plans.get(0), new WritePlan.Remove(child.key(), "never", ops.get()));
  }
}
