package dev.millrace.core.testing;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.config.ConfigStamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Shards of the bucket of every example, in few words. */
public final class Shards {
  private Shards() {}

  /** A shard that was last claimed at {@code refilledAtMs}. */
  public static BucketState shard(
      int shard, Division division, long refilledAtMs, LimitState... limits) {
    List<LimitState> sorted =
        Arrays.stream(limits).sorted(Comparator.comparing(LimitState::name)).toList();
    return new BucketState(
        Buckets.KEY.withShard(shard),
        refilledAtMs,
        sorted,
        division,
        WriteUnits.DYNAMODB.fullMilli(),
        BucketState.NEVER,
        "op-before-" + shard,
        ConfigStamp.CALL);
  }

  /** A shard of a bucket in which every shard is at the level that there should be. */
  public static BucketState shard(int shard, int level, long refilledAtMs, LimitState... limits) {
    return shard(shard, Division.of(level, level), refilledAtMs, limits);
  }

  /** The same shard of a bucket that should have {@code count} shards. */
  public static BucketState counting(int count, BucketState state) {
    return divided(state.division().withCount(count), state);
  }

  /** The same shard at another division. */
  public static BucketState divided(Division division, BucketState state) {
    return new BucketState(
        state.key(),
        state.refilledAtMs(),
        state.limits(),
        division,
        state.wcuMilli(),
        state.expiresAtSeconds(),
        state.op(),
        state.stamp());
  }

  /** The balance of the limit called {@code name}. */
  public static long tokensMilli(BucketState state, String name) {
    return Objects.requireNonNull(state.find(name)).tokensMilli();
  }

  /** Shares that come of {@code splits} splits, each of any that there is; at most of a level. */
  public static List<ShardShare> random(Gen gen, int splits, int maxLevel) {
    List<ShardShare> shares = new ArrayList<>(List.of(ShardShare.WHOLE));
    for (int i = 0; i < splits; i++) {
      int which = (int) gen.between(0, shares.size() - 1);
      ShardShare parent = shares.get(which);
      if (parent.level() < maxLevel) {
        shares.set(which, ShardShare.of(parent.shard(), 2 * parent.level()));
        shares.add(ShardShare.of(parent.shard() + parent.level(), 2 * parent.level()));
      }
    }
    return shares;
  }
}
