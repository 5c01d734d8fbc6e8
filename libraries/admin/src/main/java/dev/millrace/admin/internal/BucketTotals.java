package dev.millrace.admin.internal;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.admin.BucketReport;
import dev.millrace.admin.ShardView;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.config.ConfigStamp;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sums over the shards of a bucket: together they equal the undivided bucket. */
public final class BucketTotals {
  private BucketTotals() {}

  /** The bucket to which {@code first} belongs, null when there is none. */
  public static @Nullable BucketReport read(NamespaceScope scope, BucketKey first) {
    List<BucketState> shards = ShardReads.read(scope, first, /* believed= */ 1);
    return shards.isEmpty() ? null : of(shards, scope.tools().nowMs());
  }

  /** The shards, one by one, of the bucket to which {@code first} belongs. */
  public static List<ShardView> readShards(NamespaceScope scope, BucketKey first) {
    long nowMs = scope.tools().nowMs();
    List<ShardView> views = new ArrayList<>();
    for (BucketState shard : ShardReads.read(scope, first, /* believed= */ 1)) {
      List<ShardView.Part> parts = new ArrayList<>();
      for (LimitState state : shard.limits()) {
        parts.add(
            new ShardView.Part(
                state.name(),
                state.ceilingMilli(shard.share()),
                state.balanceMilli(shard.share(), shard.refilledAtMs(), nowMs),
                state.consumedMilli()));
      }
      views.add(new ShardView(shard.key().shard(), shard.division().level(), parts));
    }
    return views;
  }

  /** The bucket whose shards were read already. */
  static BucketReport of(List<BucketState> shards, long nowMs) {
    BucketState first = shards.get(0);
    return new BucketReport(
        first.key().entityId(),
        first.key().resource(),
        shards.size(),
        first.shardCount(),
        first.stamp(),
        sums(shards, nowMs));
  }

  /** Each limit, in the order of their names. */
  static List<BucketReport.Balance> sums(List<BucketState> shards, long nowMs) {
    List<BucketReport.Balance> sums = new ArrayList<>();
    for (Limit limit : limits(shards)) {
      long availableMilli = 0;
      long consumedMilli = 0;
      for (BucketState shard : shards) {
        LimitState stored = shard.find(limit.name());
        availableMilli = SaturatedMath.add(availableMilli, heldMilli(limit, shard, stored, nowMs));
        consumedMilli =
            SaturatedMath.add(consumedMilli, stored == null ? 0 : stored.consumedMilli());
      }
      sums.add(new BucketReport.Balance(limit, availableMilli, consumedMilli));
    }
    return sums;
  }

  /** The limits of all shards; where they differ, those of the latest change. */
  private static Collection<Limit> limits(List<BucketState> shards) {
    Map<String, Limit> limits = new TreeMap<>();
    ConfigStamp latest = ConfigStamp.CALL;
    for (BucketState shard : shards) {
      boolean later = shard.stamp().isAtLeast(latest);
      latest = later ? shard.stamp() : latest;
      for (LimitState state : shard.limits()) {
        limits.merge(state.name(), state.limit(), (first, second) -> later ? second : first);
      }
    }
    return limits.values();
  }

  /** A limit that a shard does not have yet would start full there. */
  private static long heldMilli(
      Limit limit, BucketState shard, @Nullable LimitState stored, long nowMs) {
    ShardShare share = shard.share();
    long ceilingMilli = share.partOf(limit.burstMilli());
    return stored == null
        ? ceilingMilli
        : Math.min(ceilingMilli, stored.balanceMilli(share, shard.refilledAtMs(), nowMs));
  }
}
