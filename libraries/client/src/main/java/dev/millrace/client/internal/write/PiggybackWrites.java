package dev.millrace.client.internal.write;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.TimeSource;
import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.mirror.PrefetchedTokens;
import dev.millrace.client.internal.mirror.QueuedOperation;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.internal.protocol.BucketSnapshot;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What travels with the writes of others: settlements that wait, tokens taken ahead, and what is
 * left of those. When no write comes along in time, {@link PendingSettlements} makes one.
 */
public final class PiggybackWrites {
  private static final CompletableFuture<?> NOTHING_ORDERED =
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
  private final Map<PrefetchedTokens, Held> stocks =
      Collections.synchronizedMap(new LinkedHashMap<>());

  private record Held(BucketKey key, EffectiveLimits terms) {}

  public PiggybackWrites(LimiterOptions options, PendingSettlements pending) {
    this.pending = pending;
    this.time = options.time();
    this.windowMs = options.plan().prefetchWindowMs();
    this.fraction = options.prefetchFraction();
  }

  /** The batch, and whoever rides along. */
  public List<QueuedOperation> join(MirroredBucket bucket, List<QueuedOperation> batch) {
    EffectiveLimits terms = batch.get(0).terms();
    LimitSet limits = terms.limits();
    List<QueuedOperation> riders = new ArrayList<>(0);
    pending.take(
        bucket.key(),
        limits,
        amounts -> riders.add(detached(BucketOperation.settle(bucket, terms, amounts))));
    PrefetchedTokens stock = bucket.stock();
    if (stock != null && stock.limits().equals(limits)) {
      long nowMs = nowMs();
      Amounts returned = stock.takeReturns(nowMs);
      if (returned != null) {
        riders.add(detached(BucketOperation.settle(bucket, terms, returned)));
      }
      Amounts order = isAsked(batch) && !pending.isClosed() ? stock.order(nowMs) : null;
      if (order != null) {
        riders.add(provider(bucket, terms, stock, order, nowMs));
      }
    }
    if (riders.isEmpty()) {
      return batch;
    }
    List<QueuedOperation> all = new ArrayList<>(batch.size() + riders.size());
    all.addAll(batch);
    all.addAll(riders);
    return all;
  }

  /** Whether somebody in the batch asks: a write that only gives back must not order anew. */
  private static boolean isAsked(List<QueuedOperation> batch) {
    for (QueuedOperation member : batch) {
      if (member.demand().kind() == BucketDemand.Kind.ACQUIRE) {
        return true;
      }
    }
    return false;
  }

  /** Serves a request of one leg from what is held ahead; false when the store must be asked. */
  public boolean serve(MirroredBucket bucket, ResolvedRequest prepared) {
    long nowMs = nowMs();
    return stockOf(bucket, prepared.first().terms(), nowMs).take(prepared.amounts(), nowMs);
  }

  /**
   * Orders tokens for a stock that runs low.
   *
   * @return completes when the caller who was served may go on; fails when the order broke on a bug
   */
  public CompletableFuture<?> orderMore(
      OperationRunner runner, MirroredBucket bucket, EffectiveLimits terms) {
    long nowMs = nowMs();
    PrefetchedTokens stock = stockOf(bucket, terms, nowMs);
    Amounts order = stock.order(nowMs);
    if (order == null) {
      return NOTHING_ORDERED;
    }
    Supply supply = begin(bucket, terms, stock, order, nowMs);
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

  private PrefetchedTokens stockOf(MirroredBucket bucket, EffectiveLimits terms, long nowMs) {
    LimitSet limits = terms.limits();
    PrefetchedTokens stock = bucket.stock();
    if (stock != null && stock.limits().equals(limits)) {
      return stock;
    }
    PrefetchedTokens fresh = new PrefetchedTokens(limits, windowMs, nowMs);
    bucket.stock(fresh);
    if (stock != null) {
      giveBack(bucket.key(), new EffectiveLimits(stock.limits(), terms.stamp()), stock.takeAll());
    }
    return fresh;
  }

  /** An order of tokens on its way. */
  private record Supply(
      BucketKey key,
      EffectiveLimits terms,
      PrefetchedTokens stock,
      Amounts order,
      long usableUntilMs) {}

  private Supply begin(
      MirroredBucket bucket,
      EffectiveLimits terms,
      PrefetchedTokens stock,
      Amounts order,
      long orderedMs) {
    pending.begun();
    stocks.put(stock, new Held(bucket.key(), terms));
    return new Supply(bucket.key(), terms, stock, order, orderedMs + windowMs);
  }

  private QueuedOperation provider(
      MirroredBucket bucket,
      EffectiveLimits terms,
      PrefetchedTokens stock,
      Amounts order,
      long orderedMs) {
    QueuedOperation member =
        new QueuedOperation(QueuedOperation.Waiting.DETACHED, ahead(bucket, terms, order));
    Supply supply = begin(bucket, terms, stock, order, orderedMs);
    CompletableFuture<Void> unused =
        member
            .turn()
            .thenAccept(
                turn ->
                    end(
                        supply,
                        turn instanceof QueuedOperation.Turn.Ended ended
                            ? ended.outcome()
                            : Outcome.SKIPPED));
    return member;
  }

  private void end(Supply supply, Outcome outcome) {
    long nowMs = nowMs();
    PrefetchedTokens stock = supply.stock();
    if (!(outcome instanceof Outcome.Admitted)) {
      stock.failed(nowMs);
      forgetIfIdle(stock);
    } else {
      stock.arrived(supply.order(), supply.usableUntilMs(), nowMs);
      if (pending.isClosed()) {
        giveBack(supply.key(), supply.terms(), stock.takeAll());
      } else {
        CompletableFuture<Void> unused = time.after(windowMs + 1).thenRun(() -> expire(supply));
      }
    }
    pending.ended();
  }

  private void expire(Supply supply) {
    PrefetchedTokens stock = supply.stock();
    giveBack(supply.key(), supply.terms(), stock.takeReturns(nowMs()));
    forgetIfIdle(stock);
  }

  private void forgetIfIdle(PrefetchedTokens stock) {
    if (stock.isIdle()) {
      stocks.remove(stock);
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
    synchronized (stocks) {
      all = new LinkedHashMap<>(stocks);
    }
    all.forEach((stock, held) -> giveBack(held.key(), held.terms(), stock.takeAll()));
  }

  private void giveBack(BucketKey key, EffectiveLimits terms, @Nullable Amounts returned) {
    if (returned != null && !pending.writeSoon(key, terms, returned)) {
      pending.giveUp(key, returned, NO_ROOM, /* mayBeWritten= */ false);
    }
  }

  private QueuedOperation detached(BucketOperation order) {
    QueuedOperation member = new QueuedOperation(QueuedOperation.Waiting.DETACHED, order);
    pending.watch(order.bucket(), order.demand(), member.outcome());
    return member;
  }

  private long nowMs() {
    return time.elapsedMs();
  }
}
