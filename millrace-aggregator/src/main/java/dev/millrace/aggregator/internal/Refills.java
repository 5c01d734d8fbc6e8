package dev.millrace.aggregator.internal;

import dev.millrace.aggregator.RefillSettings;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.plan.Planner;
import dev.millrace.core.plan.Pricing;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.store.BlockingStore;
import dev.millrace.core.store.Receipt;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Claims for buckets that many processes with little traffic share. Such a process seldom meets a
 * bucket that was claimed just now, so it has to claim itself, under the lock, and loses it to
 * others. Who finds the claim made may consume without the lock.
 *
 * <p>A refill is an operator's top-up of nothing: a locked write that credits every limit with what
 * the shard has earned, and consumes nothing. So the record that follows from it tells of no
 * consumption, which makes it nothing to usage, and no reason to refill once more.
 *
 * <p>It is help, not duty: a shard that somebody else has written meanwhile needs none, what fails
 * is told and not tried again, and nothing holds up the stream. Safe for use by many threads.
 */
public final class Refills {
  private static final long TIMEOUT_MS = 2_000;

  /** The store tells whole seconds: so much later it may be than it says. */
  private static final long STORE_CLOCK_MS = 1_000;

  private final RefillSettings settings;
  private final BlockingStore store;
  private final LongSupplier clockMs;
  private final Supplier<String> ops;
  private final Listeners listeners;
  private final long afterMs;
  private final long pauseMs;

  /** When each shard was last tried. */
  private final Map<BucketKey, Long> tried;

  /** For the buckets in {@code store}. */
  public Refills(
      RefillSettings settings,
      BlockingStore store,
      LongSupplier clockMs,
      Supplier<String> ops,
      Listeners listeners) {
    this.settings = settings;
    this.store = store;
    this.clockMs = clockMs;
    this.ops = ops;
    this.listeners = listeners;
    this.afterMs = settings.after().toMillis();
    this.pauseMs = settings.pause().toMillis();
    this.tried = new Recent<>(settings.remembered());
  }

  /** Hears of writes, in the order of the stream, and refills what is due. */
  void observe(List<Reading.Bucket> buckets) {
    due(buckets).forEach(this::refill);
  }

  /** What is due, each shard once. */
  synchronized List<BucketKey> due(List<Reading.Bucket> buckets) {
    long nowMs = clockMs.getAsLong();
    Map<BucketKey, Long> claimed = new LinkedHashMap<>();
    for (Reading.Bucket bucket : buckets) {
      boolean fresh = nowMs - bucket.atMs() <= Growth.MAX_AGE_MS;
      if (fresh && bucket.load() != null && !bucket.consumedMilli().isEmpty()) {
        claimed.put(bucket.key(), bucket.load().refilledAtMs()); // what comes last is how it is
      }
    }
    List<BucketKey> due = new ArrayList<>();
    for (Map.Entry<BucketKey, Long> shard : claimed.entrySet()) {
      if (due.size() == settings.perBatch()) {
        break; // the others come when they are written again
      }
      if (nowMs - shard.getValue() > afterMs && !isPaused(shard.getKey(), nowMs)) {
        tried.put(shard.getKey(), nowMs);
        due.add(shard.getKey());
      }
    }
    return due;
  }

  private boolean isPaused(BucketKey key, long nowMs) {
    Long triedMs = tried.get(key);
    return triedMs != null && nowMs - triedMs < pauseMs;
  }

  private void refill(BucketKey key) {
    try {
      read(key);
    } catch (RuntimeException e) { // a mistake in set-up; usage is counted all the same
      failed(key, new StoreFailure(StoreFailure.Kind.BROKEN, e));
    }
  }

  /** The record is old by now; only the bucket itself tells what may be claimed. */
  private void read(BucketKey key) {
    StoreReply reply = store.execute(new StoreCall.Read(key), TIMEOUT_MS);
    if (reply instanceof StoreReply.Found found) {
      BucketState state = found.state();
      long nowMs = claimableToMs(found.receipt());
      if (state != null && nowMs - state.refilledAtMs() > afterMs) {
        write(state, nowMs);
      }
    } else {
      failed(key, failureOf(reply));
    }
  }

  /** By this process's clock, but no further than the store's can be: time is claimed once. */
  private long claimableToMs(Receipt receipt) {
    long nowMs = clockMs.getAsLong();
    return receipt.storeTimeMs() == Receipt.NO_TIME
        ? nowMs
        : Math.min(nowMs, receipt.storeTimeMs() + STORE_CLOCK_MS);
  }

  private void write(BucketState state, long nowMs) {
    WritePlan plan = Planner.topUp(state, Map.of(), nowMs, settings.plan(), ops.get());
    StoreReply reply =
        store.execute(
            new StoreCall.Write(
                Pricing.priced(plan, state, /* units= */ 1, settings.plan().writeUnits())),
            TIMEOUT_MS);
    if (reply instanceof StoreReply.Applied) {
      listeners.tell(listener -> listener.onRefilled(state.key()));
    } else if (!(reply instanceof StoreReply.Refused)) { // refused: somebody else has claimed
      failed(state.key(), failureOf(reply));
    }
  }

  private static StoreFailure failureOf(StoreReply reply) {
    if (reply instanceof StoreReply.NotApplied notApplied) {
      return notApplied.failure();
    }
    if (reply instanceof StoreReply.Unknown unknown) {
      return unknown.failure();
    }
    throw new IllegalStateException("a store answered a call with " + reply);
  }

  private void failed(BucketKey key, StoreFailure failure) {
    listeners.tell(listener -> listener.onRefillFailed(key, failure));
  }
}
