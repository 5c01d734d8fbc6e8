package dev.millrace.admin.internal;

import dev.millrace.admin.BucketView;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.limit.SaturatedMath;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds up the shards of one bucket, a few at a time. */
public final class Balances {
  private final long nowMs;
  private final Map<String, BucketView.Balance> limits = new TreeMap<>();
  private int shards;

  private Balances(long nowMs) {
    this.nowMs = nowMs;
  }

  /** The bucket to which {@code first} belongs, null when there is none. */
  public static @Nullable BucketView read(Scope scope, BucketKey first) {
    BucketState state = scope.calls().readAll(List.of(first)).get(first);
    return state == null ? null : of(scope, state);
  }

  /** The bucket whose first shard was read already. */
  static BucketView of(Scope scope, BucketState first) {
    Balances balances = new Balances(scope.tools().nowMs());
    balances.add(first);
    List<BucketKey> others = Shards.range(first.key(), 1, first.shardCount());
    for (List<BucketKey> part : StoreCalls.parts(others, scope.tools().options().pageSize())) {
      scope.calls().readAll(part).values().forEach(balances::add);
    }
    return balances.view(first);
  }

  private void add(BucketState shard) {
    shards++;
    for (LimitState limit : shard.limits()) {
      BucketView.Balance own =
          new BucketView.Balance(
              limit.limit(),
              limit.balanceMilli(shard.refilledAtMs(), nowMs),
              limit.consumedMilli());
      limits.merge(
          limit.name(),
          own,
          (a, b) ->
              new BucketView.Balance(
                  a.limit(),
                  SaturatedMath.add(a.availableMilli(), b.availableMilli()),
                  SaturatedMath.add(a.consumedMilli(), b.consumedMilli())));
    }
  }

  private BucketView view(BucketState firstShard) {
    return new BucketView(
        firstShard.key().entityId(),
        firstShard.key().resource(),
        shards,
        firstShard.standing(),
        List.copyOf(limits.values()));
  }
}
