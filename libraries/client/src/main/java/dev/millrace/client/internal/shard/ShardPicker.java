package dev.millrace.client.internal.shard;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.Sharding;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.client.internal.store.LimiterEvents;
import dev.millrace.client.internal.store.SplitMix;
import dev.millrace.client.internal.store.StoreClock;
import dev.millrace.client.internal.store.WriteIds;
import dev.millrace.client.internal.write.OperationRunner;
import dev.millrace.core.internal.protocol.BucketSnapshot;
import dev.millrace.core.internal.protocol.SplitMergeProtocol;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.bucket.ShardTree;
import dev.millrace.core.spi.plan.BucketView;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Finds the shard that a request draws on, and keeps the number of shards as it should be.
 *
 * <p>A shard is drawn at random for every write: a hot entity must not stay on one of them, and
 * requests that each drew their own could not share writes any more. The draw is done again, for
 * nothing, as long as what was last seen of a shard says that it is short. Whoever draws a shard
 * that has not split, or merged, as far as it should, does that first.
 */
public final class ShardPicker {
  /** Most shards that are looked at, in memory, before a request is taken from several. */
  private static final int MAX_LOOKS = Sharding.MAX_SHARDS;

  /** One in so many requests draws although it could share the next write of the last shard. */
  private static final int REDRAWN_OF = 64;

  /** Most splits or merges that a request waits for: the height of the tree, and one to spare. */
  private static final int MAX_HOLDS = 8;

  /** Most attempts to split or merge a shard that others are writing. */
  private static final int MAX_TRIES = 16;

  /** How long they may take together, and others wait: then they write it as it is. */
  private static final long MAX_HOLD_MS = 500;

  private final LimiterOptions options;
  private final Mirror mirror;
  private final LimiterEvents events;
  private final WriteIds ops;
  private final StoreClock clock;
  private final DivisionPace divisionPace = new DivisionPace();
  private final SplitMix chance;

  public ShardPicker(
      LimiterOptions options, Mirror mirror, LimiterEvents events, WriteIds ops, StoreClock clock) {
    this.options = options;
    this.mirror = mirror;
    this.events = events;
    this.ops = ops;
    this.clock = clock;
    this.chance = new SplitMix(options.random());
  }

  /** Until when a request that begins now splits and merges shards before it draws on them. */
  public long untilMs() {
    return nowMs() + options.timeout().toMillis();
  }

  /** Whether writes of a bucket wait for more requests. */
  public boolean hasCommitDelay(ResolvedRequest resolved) {
    return resolved.legs().stream().anyMatch(leg -> leg.bucket().shards().commitDelayMs() > 0);
  }

  /**
   * The leg on the shard that it draws on; null when what was seen of every shard says that it
   * cannot give so much by itself.
   *
   * @param tried shards that have said no already
   * @param untilMs how long a request splits and merges, or waits for those who do; then it draws
   *     on what is there
   */
  public CompletableFuture<@Nullable Leg> draw(
      OperationRunner runner, Leg leg, Set<Integer> tried, long untilMs) {
    MirroredBucket first = leg.bucket();
    long nowMs = nowMs();
    if (first.isUndivided(nowMs)) {
      return CompletableFuture.completedFuture(leg);
    }
    int due = first.shards().due(nowMs);
    int count = first.shards().count();
    if (due != count
        && nowMs < untilMs
        && (due < count || mayDivide(first))
        && first.shards().tries(nowMs)) {
      return runner
          .run(SplitMergeProtocol.changeCount(first.key(), count, due, ops))
          .thenCompose(
              result -> {
                resized(first, due, result);
                return drawNow(runner, leg, tried, untilMs, /* holds= */ 0);
              });
    }
    return drawNow(runner, leg, tried, untilMs, /* holds= */ 0);
  }

  /** Any shard of a bucket, for a settlement: it is written whatever the shard holds. */
  public MirroredBucket any(MirroredBucket first) {
    int count = first.shards().count();
    return count == 1 ? first : target(first, start(first, count));
  }

  private void resized(MirroredBucket first, int wanted, SplitMergeProtocol.CountChange result) {
    if (result.state() != null) {
      mirror.saw(BucketSnapshot.of(result.state(), clock.nowMs()));
    }
    if (result.changed()) {
      events.resized(first.key(), wanted);
    }
  }

  private CompletableFuture<@Nullable Leg> drawNow(
      OperationRunner runner, Leg leg, Set<Integer> tried, long untilMs, int holds) {
    int count = leg.bucket().shards().count();
    int start = start(leg.bucket(), count);
    if (isLarge(leg, count)) {
      return CompletableFuture.completedFuture(unsplit(leg, count, start, tried));
    }
    for (int i = 0; i < Math.min(count, MAX_LOOKS); i++) {
      int drawn = (start + i) & (count - 1);
      MirroredBucket target = target(leg.bucket(), drawn);
      if (!tried.contains(target.key().shard()) && mayGive(target, leg)) {
        leg.bucket().shards().drew(drawn);
        if (isFinal(target, count)
            || nowMs() >= untilMs
            || (isToSplit(target, count) && !mayDivide(target))) {
          return CompletableFuture.completedFuture(leg.on(target));
        }
        if (target.reshardLatch().begin(nowMs())) {
          return reshape(runner, leg, target, drawn, untilMs);
        }
        CompletableFuture<Void> underWay = holds < MAX_HOLDS ? target.reshardLatch().join() : null;
        return underWay == null
            ? CompletableFuture.completedFuture(leg.on(target))
            : runner.after(underWay, () -> drawNow(runner, leg, tried, untilMs, holds + 1));
      }
    }
    return CompletableFuture.completedFuture(null);
  }

  /** A shard that still holds more than it will, for who wants more than any shall hold. */
  private @Nullable Leg unsplit(Leg leg, int count, int start, Set<Integer> tried) {
    for (int i = 0; i < Math.min(count, MAX_LOOKS); i++) {
      MirroredBucket target = target(leg.bucket(), (start + i) & (count - 1));
      BucketSnapshot snapshot = target.snapshot();
      if (snapshot != null
          && snapshot.state().division().level() < count
          && !tried.contains(target.key().shard())
          && mayGive(target, leg)) {
        return leg.on(target);
      }
    }
    return null;
  }

  /** The shard whose next write a request can share, else any. */
  private int start(MirroredBucket first, int count) {
    int last = first.shards().lastDrawn() & (count - 1);
    boolean shared =
        options.grouping()
            && target(first, last).writeQueue().isBusy()
            && chance.below(REDRAWN_OF) != 0;
    return shared ? last : chance.below(count);
  }

  /** Whether a leg wants more than any shard can hold. */
  private static boolean isLarge(Leg leg, int count) {
    ShardShare largest = ShardShare.of(0, count);
    for (int i = 0; i < leg.terms().limits().size(); i++) {
      Limit limit = leg.terms().limits().get(i);
      if (!limit.soft() && leg.amounts().milli(i) > largest.partOf(limit.burstMilli())) {
        return count > 1;
      }
    }
    return false;
  }

  /** Whether the shard is as far split as it should be, as far as is known. */
  private static boolean isFinal(MirroredBucket shard, int count) {
    BucketSnapshot snapshot = shard.snapshot();
    return snapshot == null || snapshot.state().division().level() == count;
  }

  private static boolean isToSplit(MirroredBucket shard, int count) {
    BucketSnapshot snapshot = shard.snapshot();
    return snapshot != null && snapshot.state().division().level() < count;
  }

  /** Whether this process may begin one more doubling or split now; else it is left to later. */
  private boolean mayDivide(MirroredBucket bucket) {
    if (divisionPace.mayBegin(nowMs())) {
      return true;
    }
    events.divisionPostponed(bucket.key());
    return false;
  }

  /** Whether what was last seen of a shard does not say that it is short. */
  private boolean mayGive(MirroredBucket shard, Leg leg) {
    long nowMs = shard.nowMs();
    BucketSnapshot snapshot = shard.snapshot();
    if (snapshot == null || !snapshot.isTrusted(nowMs)) {
      return true;
    }
    BucketView projection =
        BucketView.of(snapshot.state(), leg.terms(), nowMs, mirror.plan().maxSkewMs());
    return projection.isOutdated() || projection.needsRepair() || projection.fits(leg.amounts());
  }

  /**
   * The shard that holds what {@code drawn} would hold, as far as is known; one that was never seen
   * will be looked at by whoever writes it.
   */
  private MirroredBucket target(MirroredBucket first, int drawn) {
    MirroredBucket holder = first;
    for (int next : ShardTree.path(drawn)) {
      BucketSnapshot snapshot = holder.snapshot();
      int shard = holder.key().shard();
      if (next != 0 && (snapshot == null || snapshot.state().division().level() <= next - shard)) {
        return holder;
      }
      holder = next == 0 ? first : mirror.bucket(first.key().withShard(next));
    }
    return holder;
  }

  private CompletableFuture<@Nullable Leg> reshape(
      OperationRunner runner, Leg leg, MirroredBucket target, int drawn, long untilMs) {
    BucketKey key = leg.key().withShard(drawn);
    CompletableFuture<SplitMergeProtocol.Result> reshaped;
    try {
      long holdUntilMs = Math.min(untilMs, nowMs() + MAX_HOLD_MS);
      reshaped = reshape(runner, target, key, holdUntilMs, /* attempt= */ 1);
    } catch (RuntimeException | Error broken) {
      target.reshardLatch().end(/* failed= */ true, nowMs());
      throw broken;
    }
    return reshaped
        .whenComplete(
            (result, broken) ->
                target
                    .reshardLatch()
                    .end(
                        broken != null || result.kind() == SplitMergeProtocol.Kind.FAILED, nowMs()))
        .thenApply(result -> leg.on(mirror.bucket(result.holder())));
  }

  /** Others write the shard, perhaps harder than the store bears: it may take several attempts. */
  private CompletableFuture<SplitMergeProtocol.Result> reshape(
      OperationRunner runner, MirroredBucket target, BucketKey key, long untilMs, int attempt) {
    return runner
        .run(new SplitMergeProtocol(key, mirror.plan(), ops).start())
        .thenCompose(
            result -> {
              learn(target, result);
              return isInTheWay(result) && attempt < MAX_TRIES && nowMs() < untilMs
                  ? reshape(runner, target, key, untilMs, attempt + 1)
                  : CompletableFuture.completedFuture(result);
            });
  }

  private static boolean isInTheWay(SplitMergeProtocol.Result result) {
    return result.failure() != null && result.failure().isInTheWay();
  }

  private void learn(MirroredBucket target, SplitMergeProtocol.Result result) {
    long nowMs = clock.nowMs();
    for (BucketState state : result.seen()) {
      mirror.saw(BucketSnapshot.of(state, nowMs));
      // The shard that would be split off next cannot be there yet, or is not any more.
      int next = state.key().shard() + state.division().level();
      MirroredBucket known =
          next < BucketKey.MAX_SHARDS ? mirror.known(state.key().withShard(next)) : null;
      if (known != null) {
        known.forgetSnapshot();
      }
    }
    if (result.kind() == SplitMergeProtocol.Kind.SPLIT) {
      events.split(target.key());
    } else if (result.kind() == SplitMergeProtocol.Kind.MERGED) {
      events.merged(target.key());
    } else if (result.failure() != null) {
      mirror.pressedBy(target.key(), result.failure());
    }
  }

  /**
   * Looks where a shard that was drawn has gone.
   *
   * @param missing a leg on a shard that is not there
   */
  public CompletableFuture<Leg> findAgain(OperationRunner runner, Leg base, Leg missing) {
    missing.bucket().forgetSnapshot();
    SplitMergeProtocol reshape = new SplitMergeProtocol(missing.key(), mirror.plan(), ops);
    return runner
        .run(reshape.start())
        .thenApply(
            result -> {
              learn(missing.bucket(), result);
              return base.on(mirror.bucket(result.holder()));
            });
  }

  private long nowMs() {
    return options.time().elapsedMs();
  }
}
