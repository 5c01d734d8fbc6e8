package dev.millrace.client.internal.mirror;

import dev.millrace.BucketKey;
import dev.millrace.LimiterOptions;
import dev.millrace.client.internal.store.SingleFlight;
import dev.millrace.core.internal.protocol.BucketSnapshot;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One bucket, or one shard of it, in the mirror: its last snapshot, its cached configuration, and
 * the queue of its writes.
 */
public final class MirroredBucket {
  private static final long NEVER = Long.MIN_VALUE / 2;

  private final BucketKey key;
  private final WriteQueue channel;
  private volatile @Nullable PrefetchedTokens stock;
  private final AtomicReference<@Nullable BucketSnapshot> snapshot = new AtomicReference<>();
  private final SingleFlight lookUp = new SingleFlight();
  private final AtomicReference<@Nullable CachedConfig> known = new AtomicReference<>();
  private volatile @Nullable ResolvedRequest reusable;
  private final TransactionQueue turns;
  private final ShardingState shards;
  private final ReshardLatch gate;
  private final BucketClock clock;
  private volatile long noneSeenAtMs = NEVER;
  private final AtomicLong knockedAtMs = new AtomicLong(NEVER);

  /** A refill timestamp further ahead than this is not believed. */
  private final long maxSkewMs;

  public MirroredBucket(BucketKey key, LimiterOptions options, Executor background) {
    this.key = key;
    this.maxSkewMs = options.plan().maxSkewMs();
    this.channel = new WriteQueue(options.maxQueued());
    this.turns = new TransactionQueue(options.maxQueued(), background);
    this.gate = new ReshardLatch(options.maxQueued());
    this.shards = new ShardingState(options.sharding());
    this.clock = new BucketClock(maxSkewMs);
  }

  public BucketKey key() {
    return key;
  }

  public WriteQueue channel() {
    return channel;
  }

  public @Nullable PrefetchedTokens stock() {
    return stock;
  }

  public void stock(PrefetchedTokens fresh) {
    this.stock = fresh;
  }

  public @Nullable BucketSnapshot snapshot() {
    return snapshot.get();
  }

  /** Whose turn it is to write it in a transaction. */
  public TransactionQueue turns() {
    return turns;
  }

  /** How the bucket is divided; only kept with its shard 0. */
  public ShardingState shards() {
    return shards;
  }

  /** Whether it has one shard and is to have no more. */
  public boolean isUndivided(long elapsedMs) {
    if (shards.count() != 1 || shards.due(elapsedMs) != 1) {
      return false;
    }
    BucketSnapshot seen = snapshot();
    return seen == null || seen.state().division().isWhole();
  }

  /** Whether it has several shards, or should have. */
  public boolean isDivided() {
    BucketSnapshot seen = snapshot();
    return shards.count() > 1 || (seen != null && !seen.state().division().isWhole());
  }

  /** The time by which its credit is reckoned. */
  public BucketClock clock() {
    return clock;
  }

  /** Where writes of the shard wait while it is split or merged. */
  public ReshardLatch gate() {
    return gate;
  }

  /** Forgets what was seen: the shard is not there any more. */
  public void forgetSnapshot() {
    snapshot.set(null);
  }

  /** The last request for it that was prepared and may come again. */
  public @Nullable ResolvedRequest reusable() {
    return reusable;
  }

  public void reusable(ResolvedRequest prepared) {
    this.reusable = prepared;
  }

  /** What holds for it, as it was last looked up. */
  public @Nullable CachedConfig known() {
    return known.get();
  }

  /** Remembers what was looked up, unless that was done later by somebody who was faster. */
  public void known(CachedConfig lookedUp) {
    known.accumulateAndGet(
        lookedUp,
        (old, fresh) ->
            old == null || fresh == null || fresh.age().isAtLeast(old.age()) ? fresh : old);
  }

  /** The look-up of what holds for it. */
  public SingleFlight lookUp() {
    return lookUp;
  }

  /** When somebody was last refused of whom the other regions shall hear. */
  public AtomicLong knockedAtMs() {
    return knockedAtMs;
  }

  /** Remembers that there was no such bucket. */
  public void sawNone(long nowMs) {
    noneSeenAtMs = nowMs;
  }

  /** Whether a moment ago there was no such bucket. */
  public boolean isNone(long nowMs) {
    long ageMs = nowMs - noneSeenAtMs;
    return snapshot.get() == null && 0 <= ageMs && ageMs < BucketSnapshot.TRUST_MS;
  }

  /**
   * Remembers what was read beside the writes of this process. What a write has brought since the
   * read was sent is later, although the refill timestamp does not tell: an adjustment leaves it.
   */
  public void sawAside(BucketSnapshot seen, long askedAtMs) {
    snapshot.accumulateAndGet(
        seen,
        (known, fresh) -> {
          if (known == null || fresh == null) {
            return fresh;
          }
          boolean overtaken =
              known.seenAtMs() >= askedAtMs
                  && known.state().refilledAtMs() == fresh.state().refilledAtMs();
          return overtaken ? known : BucketSnapshot.later(known, fresh, maxSkewMs);
        });
  }

  /** Remembers a snapshot unless a later one is there: answers overtake each other. */
  public void saw(BucketSnapshot seen) {
    snapshot.accumulateAndGet(
        seen,
        (known, fresh) ->
            known == null || fresh == null ? fresh : BucketSnapshot.later(known, fresh, maxSkewMs));
  }
}
