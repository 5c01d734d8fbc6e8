package dev.millrace.client.internal.mirror;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.BucketKey;
import dev.millrace.LimiterOptions;
import dev.millrace.TimeSource;
import dev.millrace.client.internal.store.LimiterEvents;
import dev.millrace.client.internal.store.StoreClock;
import dev.millrace.client.internal.store.StoreErrors;
import dev.millrace.core.internal.protocol.BucketSnapshot;
import dev.millrace.core.internal.protocol.CommitResult;
import dev.millrace.core.internal.protocol.CommitResult.Load;
import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The buckets that this process has seen lately, bounded by count and age. Every answer of the
 * store is entered here, and every decision without a round trip is made from it. To forget a
 * bucket at any time costs a read, or a second write beside one that is under way, and nothing
 * else.
 */
public final class Mirror {
  private static final long NANOS_PER_MS = 1_000_000;

  private final LimiterOptions options;
  private final PlanSettings plan;
  private final WriteUnits partition;
  private final TimeSource time;
  private final StoreClock clock;
  private final LimiterEvents events;
  private final Executor background;
  private final Cache<BucketKey, MirroredBucket> buckets;
  private volatile boolean sharesWithRegions;

  public Mirror(
      LimiterOptions options, StoreClock clock, LimiterEvents events, Executor background) {
    this.options = options;
    this.plan = PlanSettings.of(options);
    this.partition = plan.writeUnits();
    this.time = options.time();
    this.clock = clock;
    this.events = events;
    this.background = background;
    this.buckets =
        Caffeine.newBuilder()
            .maximumSize(options.maxMirrors())
            .expireAfterWrite(options.mirrorAge()) // by access, every look would have to be noted
            .ticker(() -> time.elapsedMs() * NANOS_PER_MS)
            .executor(background)
            .build();
  }

  public MirroredBucket bucket(BucketKey key) {
    MirroredBucket known = buckets.getIfPresent(key); // fast path: no lock, no allocation
    return known != null ? known : buckets.get(key, this::unseen);
  }

  private MirroredBucket unseen(BucketKey key) {
    return new MirroredBucket(key, options, clock, background);
  }

  /** The bucket if it was seen lately. */
  public @Nullable MirroredBucket known(BucketKey key) {
    return buckets.getIfPresent(key);
  }

  /** Remembers what holds for a bucket. */
  public void config(BucketKey key, CachedConfig lookedUp) {
    if (lookedUp.resolved().whole() != null) {
      sharesWithRegions = true;
    }
    bucket(key).config(lookedUp);
  }

  /** Whether any bucket was ever seen to share its limits with other regions. */
  public boolean sharesWithRegions() {
    return sharesWithRegions;
  }

  /** Forgets all buckets, as age would. */
  public void forget() {
    buckets.invalidateAll();
  }

  public ShardingState shardsOf(BucketKey key) {
    return bucket(key.withShard(0)).shards();
  }

  /** A conversation about one bucket that goes by its time, which every answer may put right. */
  public <R> Step<R> inTimeOf(MirroredBucket bucket, Step<R> step) {
    if (!(step instanceof Step.Ask<R> ask)) {
      return step;
    }
    return new Step.Ask<>(
        ask.calls(),
        (replies, nowMs) -> {
          BucketClock bucketClock = bucket.clock();
          for (int i = 0; i < replies.size(); i++) {
            BucketState state = stateIn(replies.get(i));
            if (state != null && state.key().equals(bucket.key())) {
              bucketClock.saw(state.refilledAtMs(), nowMs);
            }
          }
          return inTimeOf(bucket, ask.next().resume(replies, bucketClock.nowMs(nowMs)));
        });
  }

  private static @Nullable BucketState stateIn(StoreReply reply) {
    if (reply instanceof StoreReply.Applied applied) {
      return applied.state();
    }
    if (reply instanceof StoreReply.Refused refused) {
      return refused.state();
    }
    return reply instanceof StoreReply.Found found ? found.state() : null;
  }

  /** The numbers of the write protocol. */
  public PlanSettings plan() {
    return plan;
  }

  /** Enters what a conversation about a bucket has seen of it. */
  public void saw(
      MirroredBucket bucket,
      @Nullable BucketSnapshot snapshot,
      CommitResult.Trace trace,
      Load load) {
    if (snapshot != null) {
      // A settlement may have been written into the shard that took over the one it was for.
      boolean own = snapshot.state().key().shard() == bucket.key().shard();
      saw(own ? bucket : bucket(snapshot.state().key()), snapshot, load);
    }
    if (!trace.equals(CommitResult.Trace.EMPTY)) {
      events.traced(bucket.key(), trace);
    }
  }

  /** Enters what was seen of a shard, and what that tells of the bucket. */
  public void saw(BucketSnapshot snapshot) {
    saw(bucket(snapshot.state().key()), snapshot, Load.NONE);
  }

  private void saw(MirroredBucket shard, BucketSnapshot snapshot, Load load) {
    shard.saw(snapshot);
    BucketState state = snapshot.state();
    long ownMs = clock.nowMs();
    shard.clock().saw(state.refilledAtMs(), ownMs);
    boolean first = state.key().shard() == 0;
    ShardingState shards = first ? shard.shards() : shardsOf(state.key());
    long nowMs = time.elapsedMs();
    if (first && shards.learn(state.shardCount(), nowMs)) {
      events.divisionSeen(state.key(), state.shardCount());
    }
    // One that has not split as far as it should will be relieved by that.
    if (state.division().level() >= shards.count() && partition.isSpent(state, ownMs)) {
      shards.press(nowMs);
    }
    shards.measure(load, partition, nowMs);
  }

  /**
   * A shard whose key the store calls hot is written too hard. Throttling of the table says nothing
   * about a bucket: to divide it would make more writes, and so more throttling.
   */
  public void pressedBy(BucketKey key, StoreFailure failure) {
    if (failure.kind() == StoreFailure.Kind.HOT_KEY) {
      MirroredBucket known = known(key);
      BucketSnapshot snapshot = known == null ? null : known.snapshot();
      ShardingState shards = shardsOf(key);
      if (snapshot == null || snapshot.state().division().level() >= shards.count()) {
        shards.press(time.elapsedMs());
      }
    }
  }

  /** The call that reads buckets. */
  public static StoreCall read(List<BucketKey> keys) {
    return keys.size() == 1 ? new StoreCall.Read(keys.get(0)) : new StoreCall.ReadAll(keys);
  }

  /** What the answer to {@link #read} says of a bucket, null when there is none. */
  public static @Nullable BucketState stateIn(StoreReply reply, BucketKey key) {
    if (reply instanceof StoreReply.FoundAll all) {
      return all.states().get(key);
    }
    if (reply instanceof StoreReply.Found found) {
      return found.state();
    }
    throw StoreErrors.unavailable(key, failureOf(reply), /* mayBeCharged= */ false);
  }

  public static StoreFailure failureOf(StoreReply reply) {
    if (reply instanceof StoreReply.NotApplied notApplied) {
      return notApplied.failure();
    }
    if (reply instanceof StoreReply.Unknown unknown) {
      return unknown.failure();
    }
    throw new IllegalStateException("a store answered a read with " + reply);
  }
}
