package dev.millrace.client.internal.mirror;

import dev.millrace.BucketKey;
import dev.millrace.LimiterOptions;
import dev.millrace.Rejection;
import dev.millrace.client.internal.store.SingleFlight;
import dev.millrace.client.internal.store.StoreClock;
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
  /**
   * What was decided from memory about a request. It holds for the same request in the same
   * millisecond.
   *
   * @param snapshot the snapshot of this bucket that it was decided from
   * @param rejection null when all shards together were found to hold enough
   */
  public record MemoryAnswer(
      BucketSnapshot snapshot, Leg leg, long nowMs, @Nullable Rejection rejection) {
    /** Whether a request at {@code atMs} is the same. */
    @SuppressWarnings("ReferenceEquality") // the same, not an equal one: comparing costs more
    public boolean isOf(Leg wanted, long atMs) {
      return nowMs == atMs && leg == wanted;
    }

    @SuppressWarnings("ReferenceEquality") // whether it was written or read since
    public boolean isFrom(BucketSnapshot seen) {
      return snapshot == seen;
    }
  }

  private static final long NEVER = Long.MIN_VALUE / 2;

  private final BucketKey key;
  private final WriteQueue writeQueue;
  private volatile @Nullable PrefetchedTokens prefetched;
  private final AtomicReference<@Nullable BucketSnapshot> snapshot = new AtomicReference<>();
  private final SingleFlight lookUp = new SingleFlight();
  private final AtomicReference<@Nullable CachedConfig> config = new AtomicReference<>();
  private final TransactionQueue transactionQueue;
  private final ShardingState shards;
  private final ReshardLatch reshardLatch;
  private final BucketClock clock;
  private volatile long noneSeenAtMs = NEVER;

  /** Read and written without order: it is immutable, and a lost one is made again. */
  private @Nullable MemoryAnswer lastAnswer;

  private final AtomicLong demandSignalledAtMs = new AtomicLong(NEVER);

  /** A refill timestamp further ahead than this is not believed. */
  private final long maxSkewMs;

  public MirroredBucket(
      BucketKey key, LimiterOptions options, StoreClock storeClock, Executor background) {
    this.key = key;
    this.maxSkewMs = options.maxClockSkew().toMillis();
    this.writeQueue = new WriteQueue(options.maxQueued());
    this.transactionQueue = new TransactionQueue(options.maxQueued(), background);
    this.reshardLatch = new ReshardLatch(options.maxQueued());
    this.shards = new ShardingState(options.sharding());
    this.clock = new BucketClock(storeClock, options.time(), maxSkewMs);
  }

  public BucketKey key() {
    return key;
  }

  public WriteQueue writeQueue() {
    return writeQueue;
  }

  public @Nullable PrefetchedTokens prefetched() {
    return prefetched;
  }

  public void prefetched(PrefetchedTokens fresh) {
    this.prefetched = fresh;
  }

  public @Nullable BucketSnapshot snapshot() {
    return snapshot.get();
  }

  /** Whose turn it is to write it in a transaction. */
  public TransactionQueue transactionQueue() {
    return transactionQueue;
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

  /** The time by which its credit is computed. */
  public long nowMs() {
    return clock.nowMs();
  }

  public BucketClock clock() {
    return clock;
  }

  /** The last answer from memory, null for none. */
  public @Nullable MemoryAnswer lastAnswer() {
    return lastAnswer;
  }

  public void lastAnswer(MemoryAnswer answer) {
    this.lastAnswer = answer;
  }

  /** Where writes of the shard wait while it is split or merged. */
  public ReshardLatch reshardLatch() {
    return reshardLatch;
  }

  /** Forgets what was seen: the shard is not there any more. */
  public void forgetSnapshot() {
    snapshot.set(null);
  }

  /** What holds for it, as it was last looked up. */
  public @Nullable CachedConfig config() {
    return config.get();
  }

  /** Remembers what was looked up, unless a later look-up is remembered already. */
  public void config(CachedConfig lookedUp) {
    config.accumulateAndGet(
        lookedUp,
        (old, fresh) ->
            old == null || fresh == null || fresh.age().isAtLeast(old.age()) ? fresh : old);
  }

  /** The look-up of what holds for it. */
  public SingleFlight lookUp() {
    return lookUp;
  }

  /** When other regions were last shown that requests are refused. */
  public AtomicLong demandSignalledAtMs() {
    return demandSignalledAtMs;
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
