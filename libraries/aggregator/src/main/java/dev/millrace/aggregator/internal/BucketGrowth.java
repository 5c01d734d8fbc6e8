package dev.millrace.aggregator.internal;

import dev.millrace.BucketKey;
import dev.millrace.core.internal.protocol.SplitMergeProtocol;
import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The resizing of buckets from the stream: hot buckets are divided further before their clients are
 * throttled, and quiet ones are merged when no client is left to do it. It only sets the target
 * number of shards; requests that use the shards split and merge them.
 *
 * <p>It is best effort: a failure is reported and not repeated before the bucket is under pressure
 * again, and never holds up the stream. Thread-safe.
 */
public final class BucketGrowth {
  /** Older records say nothing about the current load. Streams may round times to a minute. */
  static final long MAX_AGE_MS = 120_000;

  /** The number of cached shards that are checked with each batch, to find unused ones. */
  static final int LOOKED_AT = 16;

  /**
   * Most buckets that are resized after one batch; the others follow when they are written again.
   */
  static final int MAX_RESIZES = 8;

  private static final long TIMEOUT_MS = 2_000;

  private final GrowthSettings settings;
  private final BlockingStore store;
  private final LongSupplier clockMs;
  private final Supplier<String> ops;
  private final AggregatorListeners listeners;
  private final Map<BucketKey, ShardLoad> shards;

  /** The target of a bucket, as one of its shards indicates it. */
  record ResizeTarget(BucketKey key, int believed, int count) {}

  /** Growth of the buckets in {@code store}. */
  public BucketGrowth(
      GrowthSettings settings,
      BlockingStore store,
      LongSupplier clockMs,
      Supplier<String> ops,
      AggregatorListeners listeners) {
    this.settings = settings;
    this.store = store;
    this.clockMs = clockMs;
    this.ops = ops;
    this.listeners = listeners;
    this.shards = new LruMap<>(settings.remembered());
  }

  /** Receives writes, in the order of the stream, and resizes buckets. */
  void observe(List<RecordContent.Bucket> buckets) {
    wanted(buckets).stream().limit(MAX_RESIZES).forEach(this::resize);
  }

  /** The targets, at most one for each bucket. */
  synchronized List<ResizeTarget> wanted(List<RecordContent.Bucket> buckets) {
    long nowMs = clockMs.getAsLong();
    Map<BucketKey, ResizeTarget> wanted = new LinkedHashMap<>();
    for (RecordContent.Bucket bucket : buckets) {
      if (bucket.load() != null && nowMs - bucket.atMs() <= MAX_AGE_MS) {
        ShardLoad shard = shards.get(bucket.key());
        if (shard == null) {
          shard = new ShardLoad(bucket.load().division(), nowMs);
        }
        int count = shard.written(bucket.load(), bucket.atMs(), nowMs, settings);
        want(wanted, bucket.key(), shard, count);
        if (shard.isWorthRemembering()) {
          shards.put(bucket.key(), shard);
        } else {
          shards.remove(bucket.key());
        }
      }
    }
    for (Map.Entry<BucketKey, ShardLoad> idle : longestUnwritten()) {
      ShardLoad shard = idle.getValue();
      int count = shard.due(nowMs, settings);
      want(wanted, idle.getKey(), shard, count);
      // The next write of it is observed again.
      if (count != shard.count() || !shard.isWorthRemembering()) {
        shards.remove(idle.getKey());
      }
    }
    return new ArrayList<>(wanted.values());
  }

  private static void want(
      Map<BucketKey, ResizeTarget> wanted, BucketKey key, ShardLoad shard, int count) {
    if (count != shard.count()) {
      wanted.putIfAbsent(key.withShard(0), new ResizeTarget(key, shard.count(), count));
    }
  }

  private List<Map.Entry<BucketKey, ShardLoad>> longestUnwritten() {
    List<Map.Entry<BucketKey, ShardLoad>> first = new ArrayList<>(LOOKED_AT);
    for (Map.Entry<BucketKey, ShardLoad> shard : shards.entrySet()) {
      if (first.size() == LOOKED_AT) {
        break;
      }
      first.add(Map.entry(shard.getKey(), shard.getValue()));
    }
    return first;
  }

  private void resize(ResizeTarget wanted) {
    SplitMergeProtocol.CountChange result;
    try {
      result =
          run(SplitMergeProtocol.changeCount(wanted.key(), wanted.believed(), wanted.count(), ops));
    } catch (RuntimeException e) { // a mistake in set-up; usage is counted all the same
      StoreFailure broken = new StoreFailure(StoreFailure.Kind.BROKEN, e);
      listeners.publish(listener -> listener.onResizeFailed(wanted.key(), broken));
      return;
    }
    @Nullable StoreFailure failure = result.failure();
    if (failure != null) {
      listeners.publish(listener -> listener.onResizeFailed(wanted.key(), failure));
    } else if (result.changed()) {
      listeners.publish(listener -> listener.onResized(wanted.key().withShard(0), wanted.count()));
    }
  }

  private <R> R run(Step<R> first) {
    Step<R> step = first;
    while (step instanceof Step.Ask<R> ask) { // ends: the conversation is two calls
      List<StoreReply> replies =
          ask.calls().stream().map(call -> store.execute(call, TIMEOUT_MS)).toList();
      step = ask.next().resume(replies, clockMs.getAsLong());
    }
    return ((Step.Done<R>) step).result();
  }
}
