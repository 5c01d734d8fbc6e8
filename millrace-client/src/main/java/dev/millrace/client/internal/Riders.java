package dev.millrace.client.internal;

import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.plan.Demand;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.request.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * What travels with the writes of others: deferred adjustments, tokens taken ahead, and what is
 * left of those. When no write comes along in time, they get one of their own.
 */
final class Riders {
  private final LimiterCore core;
  private final long windowMs;

  Riders(LimiterCore core) {
    this.core = core;
    this.windowMs = core.options().plan().prefetchWindowMs();
  }

  /** The batch, and whoever rides along. */
  List<Member> join(Bucket bucket, Runner runner, List<Member> batch) {
    LimitSet limits = batch.get(0).limits();
    List<Member> riders = new ArrayList<>(0);
    for (Amounts amounts : bucket.deferred().take(limits)) {
      riders.add(detached(bucket, Demand.settle(amounts)));
    }
    Stock stock = bucket.stock();
    if (stock != null && stock.limits().equals(limits)) {
      long nowMs = nowMs();
      Amounts returned = stock.takeReturns(nowMs);
      if (returned != null) {
        riders.add(detached(bucket, Demand.settle(returned)));
      }
      Amounts order = isAsked(batch) ? stock.order(nowMs) : null;
      if (order != null) {
        riders.add(provider(bucket, runner, stock, order, nowMs));
      }
    }
    if (riders.isEmpty()) {
      return batch;
    }
    List<Member> all = new ArrayList<>(batch.size() + riders.size());
    all.addAll(batch);
    all.addAll(riders);
    return all;
  }

  /** Whether somebody in the batch asks: a write that only gives back must not order anew. */
  private static boolean isAsked(List<Member> batch) {
    for (Member member : batch) {
      if (member.demand().kind() == Demand.Kind.ACQUIRE) {
        return true;
      }
    }
    return false;
  }

  /** Serves from the stock; null when the store must be asked. */
  @Nullable CompletableFuture<Decision> serve(Runner runner, Bucket bucket, Prepared prepared) {
    long nowMs = nowMs();
    Stock stock = stockOf(runner, bucket, prepared.amounts().limits(), nowMs);
    if (!stock.take(prepared.amounts(), nowMs)) {
      return null;
    }
    Decision granted = core.decided(prepared, Outcome.ADMITTED);
    Amounts order = stock.order(nowMs);
    if (order == null) {
      return CompletableFuture.completedFuture(granted);
    }
    CompletableFuture<Void> ordered =
        runner
            .commit(bucket, Demand.prefetch(order, leave(order.limits())))
            .thenAccept(outcome -> supplied(bucket, runner, stock, order, nowMs, outcome));
    // A blocking runner is done by now; with the other nobody waits for the order.
    return ordered.isCompletedExceptionally()
        ? ordered.thenApply(never -> granted)
        : CompletableFuture.completedFuture(granted);
  }

  private Stock stockOf(Runner runner, Bucket bucket, LimitSet limits, long nowMs) {
    Stock stock = bucket.stock();
    if (stock != null && stock.limits().equals(limits)) {
      return stock;
    }
    Stock fresh = new Stock(limits, windowMs, nowMs);
    bucket.stock(fresh);
    if (stock != null) {
      giveBack(bucket, runner, stock.takeAll());
    }
    return fresh;
  }

  private Member provider(
      Bucket bucket, Runner runner, Stock stock, Amounts order, long orderedMs) {
    Member member =
        new Member(Member.Waiting.DETACHED, Demand.prefetch(order, leave(order.limits())));
    CompletableFuture<Void> unused =
        member
            .turn()
            .thenAccept(
                turn -> {
                  Outcome outcome =
                      turn instanceof Member.Turn.Ended ended ? ended.outcome() : Outcome.SKIPPED;
                  supplied(bucket, runner, stock, order, orderedMs, outcome);
                });
    return member;
  }

  private void supplied(
      Bucket bucket, Runner runner, Stock stock, Amounts order, long orderedMs, Outcome outcome) {
    long nowMs = nowMs();
    if (!(outcome instanceof Outcome.Admitted)) {
      stock.failed(nowMs);
    } else {
      stock.arrived(order, orderedMs + windowMs, nowMs);
      whenDue(windowMs + 1, runner, () -> giveBack(bucket, runner, stock.takeReturns(nowMs())));
    }
  }

  /** What prefetching must leave to others. */
  private Amounts leave(LimitSet limits) {
    long[] milli = new long[limits.size()];
    for (int i = 0; i < milli.length; i++) {
      Limit limit = limits.get(i);
      milli[i] = (long) (limit.burstMilli() * (1 - core.options().prefetchFraction()));
    }
    return Amounts.ofMilli(limits, milli);
  }

  /** Lets an adjustment wait for the next write; null when it must be written now. */
  boolean defer(Bucket bucket, Runner runner, Amounts amounts) {
    Deferred.Then then = bucket.deferred().add(amounts);
    if (then == Deferred.Then.SCHEDULE) {
      whenDue(core.options().maxDefer().toMillis(), runner, () -> flushDeferred(bucket, runner));
    }
    return then != Deferred.Then.WRITE_NOW;
  }

  /** Writes down everything that waits: the limiter closes. */
  void flush(Bucket bucket, Runner runner) {
    flushDeferred(bucket, runner);
    Stock stock = bucket.stock();
    if (stock != null) {
      giveBack(bucket, runner, stock.takeAll());
    }
  }

  private void flushDeferred(Bucket bucket, Runner runner) {
    for (Amounts amounts : bucket.deferred().take(null)) {
      runner.commitDetached(bucket, Demand.settle(amounts));
    }
  }

  private void giveBack(Bucket bucket, Runner runner, @Nullable Amounts returned) {
    if (returned != null) {
      runner.commitDetached(bucket, Demand.settle(returned));
    }
  }

  private Member detached(Bucket bucket, Demand demand) {
    Member member = new Member(Member.Waiting.DETACHED, demand);
    core.settling().watchDetached(bucket, demand, member);
    return member;
  }

  /** Off the timer's thread: with a blocking store the task makes a round trip. */
  private void whenDue(long delayMs, Runner runner, Runnable task) {
    CompletableFuture<Void> timer = core.options().time().after(delayMs);
    CompletableFuture<Void> unused =
        runner.blocks() ? timer.thenRunAsync(task, ForkJoinPool.commonPool()) : timer.thenRun(task);
  }

  private long nowMs() {
    return core.options().time().elapsedMs();
  }
}
