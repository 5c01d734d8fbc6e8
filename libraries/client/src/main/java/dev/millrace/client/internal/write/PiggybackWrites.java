package dev.millrace.client.internal.write;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.TimeSource;
import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.mirror.PrefetchedTokens;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.internal.protocol.BucketSnapshot;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Further operations that are added to the batches of callers: settlements that wait, prefetches of
 * tokens, and their refunds. When no write comes in time, {@link PendingSettlements} makes one.
 */
public final class PiggybackWrites {
  public static final CompletableFuture<?> NOTHING_ORDERED =
      CompletableFuture.completedFuture(null);
  private static final StoreFailure NO_ROOM = new StoreFailure(StoreFailure.Kind.BUSY, null);

  private final PendingSettlements pending;
  private final TimeSource time;
  private final long windowMs;
  private final double fraction;

  /**
   * Where tokens are held ahead, or on order, also of buckets that were forgotten meanwhile; in an
   * order that does not depend on where objects lie.
   */
  private final Map<PrefetchedTokens, Held> held =
      Collections.synchronizedMap(new LinkedHashMap<>());

  private record Held(BucketKey key, EffectiveLimits terms) {}

  public PiggybackWrites(LimiterOptions options, PendingSettlements pending) {
    this.pending = pending;
    this.time = options.time();
    this.windowMs = PlanSettings.of(options).prefetchWindowMs();
    this.fraction = options.prefetchFraction();
  }

  /** The batch with the further operations. */
  public List<BucketOperation> join(MirroredBucket bucket, List<BucketOperation> batch) {
    EffectiveLimits terms = batch.get(0).terms();
    LimitSet limits = terms.limits();
    List<BucketOperation> further = new ArrayList<>(0);
    pending.take(
        bucket.key(),
        limits,
        amounts -> further.add(detached(BucketOperation.settle(bucket, terms, amounts))));
    PrefetchedTokens prefetched = bucket.prefetched();
    if (prefetched != null && prefetched.limits().equals(limits)) {
      long nowMs = nowMs();
      Amounts returned = prefetched.takeReturns(nowMs);
      if (returned != null) {
        further.add(detached(BucketOperation.settle(bucket, terms, returned)));
      }
      Amounts order = acquires(batch) && !pending.isClosed() ? prefetched.order(nowMs) : null;
      if (order != null) {
        further.add(provider(bucket, terms, prefetched, order, nowMs));
      }
    }
    if (further.isEmpty()) {
      return batch;
    }
    List<BucketOperation> all = new ArrayList<>(batch.size() + further.size());
    all.addAll(batch);
    all.addAll(further);
    return all;
  }

  /** Whether the batch acquires: a write that only gives back must not order again. */
  private static boolean acquires(List<BucketOperation> batch) {
    for (BucketOperation member : batch) {
      if (member.demand().kind() == BucketDemand.Kind.ACQUIRE) {
        return true;
      }
    }
    return false;
  }

  /** Serves a request of one leg from prefetched tokens; false when the store must be asked. */
  public boolean serve(Leg leg, long elapsedMs) {
    return prefetchedOf(leg.bucket(), leg.terms(), elapsedMs).take(leg.amounts(), elapsedMs);
  }

  /**
   * Orders tokens when few prefetched ones are left.
   *
   * @return completes when the caller who was served may go on; fails when the order broke on a bug
   */
  public CompletableFuture<?> orderMore(
      OperationRunner runner, MirroredBucket bucket, EffectiveLimits terms, long nowMs) {
    PrefetchedTokens prefetched = prefetchedOf(bucket, terms, nowMs);
    Amounts order = prefetched.order(nowMs);
    if (order == null) {
      return NOTHING_ORDERED;
    }
    Supply supply = begin(bucket, terms, prefetched, order, nowMs);
    CompletableFuture<Outcome> ordered =
        runner
            .commit(ahead(bucket, terms, order))
            .whenComplete(
                (outcome, failure) -> end(supply, failure == null ? outcome : Outcome.SKIPPED));
    // A blocking runner is done by now; with the other nobody waits for the order.
    return ordered.isCompletedExceptionally() ? ordered : NOTHING_ORDERED;
  }

  private BucketOperation ahead(MirroredBucket bucket, EffectiveLimits terms, Amounts order) {
    BucketDemand demand = BucketDemand.prefetch(order, leave(bucket, order.limits()));
    return new BucketOperation(bucket, terms, demand, /* mayCreate= */ false);
  }

  private PrefetchedTokens prefetchedOf(MirroredBucket bucket, EffectiveLimits terms, long nowMs) {
    LimitSet limits = terms.limits();
    PrefetchedTokens prefetched = bucket.prefetched();
    if (prefetched != null && prefetched.limits().equals(limits)) {
      return prefetched;
    }
    PrefetchedTokens fresh = new PrefetchedTokens(limits, windowMs, nowMs);
    bucket.prefetched(fresh);
    if (prefetched != null) {
      giveBack(
          bucket.key(),
          new EffectiveLimits(prefetched.limits(), terms.stamp()),
          prefetched.takeAll());
    }
    return fresh;
  }

  /** An order of tokens on its way. */
  private record Supply(
      BucketKey key,
      EffectiveLimits terms,
      PrefetchedTokens prefetched,
      Amounts order,
      long usableUntilMs) {}

  private Supply begin(
      MirroredBucket bucket,
      EffectiveLimits terms,
      PrefetchedTokens prefetched,
      Amounts order,
      long orderedMs) {
    pending.schedule().begun();
    held.put(prefetched, new Held(bucket.key(), terms));
    return new Supply(bucket.key(), terms, prefetched, order, orderedMs + windowMs);
  }

  private BucketOperation provider(
      MirroredBucket bucket,
      EffectiveLimits terms,
      PrefetchedTokens prefetched,
      Amounts order,
      long orderedMs) {
    BucketOperation operation = ahead(bucket, terms, order);
    Supply supply = begin(bucket, terms, prefetched, order, orderedMs);
    CompletableFuture<Void> unused =
        operation
            .signal()
            .thenAccept(
                signal ->
                    end(
                        supply,
                        signal instanceof BucketOperation.Signal.Ended ended
                            ? ended.outcome()
                            : Outcome.SKIPPED));
    return operation;
  }

  private void end(Supply supply, Outcome outcome) {
    long nowMs = nowMs();
    PrefetchedTokens prefetched = supply.prefetched();
    if (!(outcome instanceof Outcome.Admitted)) {
      prefetched.failed(nowMs);
      forgetIfIdle(prefetched);
    } else {
      prefetched.arrived(supply.order(), supply.usableUntilMs(), nowMs);
      if (pending.isClosed()) {
        giveBack(supply.key(), supply.terms(), prefetched.takeAll());
      } else {
        CompletableFuture<Void> unused = time.after(windowMs + 1).thenRun(() -> expire(supply));
      }
    }
    pending.schedule().ended();
  }

  private void expire(Supply supply) {
    PrefetchedTokens prefetched = supply.prefetched();
    giveBack(supply.key(), supply.terms(), prefetched.takeReturns(nowMs()));
    forgetIfIdle(prefetched);
  }

  private void forgetIfIdle(PrefetchedTokens prefetched) {
    if (prefetched.isIdle()) {
      held.remove(prefetched);
    }
  }

  /** What prefetching must leave to others. */
  private Amounts leave(MirroredBucket bucket, LimitSet limits) {
    BucketSnapshot snapshot = bucket.snapshot();
    ShardShare share = snapshot == null ? ShardShare.WHOLE : snapshot.state().share();
    long[] milli = new long[limits.size()];
    for (int i = 0; i < milli.length; i++) {
      long mostMilli = share.partOf(limits.get(i).burstMilli());
      milli[i] = (long) (mostMilli * (1 - fraction));
    }
    return Amounts.ofMilli(limits, milli);
  }

  /** Gives back all tokens that are held ahead: the limiter closes. */
  public void giveBackAll() {
    Map<PrefetchedTokens, Held> all;
    synchronized (held) {
      all = new LinkedHashMap<>(held);
    }
    all.forEach((prefetched, of) -> giveBack(of.key(), of.terms(), prefetched.takeAll()));
  }

  private void giveBack(BucketKey key, EffectiveLimits terms, @Nullable Amounts returned) {
    if (returned != null && !pending.writeSoon(key, terms, returned)) {
      pending.giveUp(key, returned, NO_ROOM, /* mayBeWritten= */ false);
    }
  }

  private BucketOperation detached(BucketOperation operation) {
    pending.watch(operation.bucket(), operation.demand(), operation.outcome());
    return operation;
  }

  private long nowMs() {
    return time.elapsedMs();
  }
}
