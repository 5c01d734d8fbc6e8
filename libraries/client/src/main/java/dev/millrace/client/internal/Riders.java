package dev.millrace.client.internal;

import dev.millrace.core.bucket.Share;
import dev.millrace.core.config.Terms;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.plan.Demand;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.Sighting;
import dev.millrace.core.request.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
    Terms terms = batch.get(0).terms();
    LimitSet limits = terms.limits();
    List<Member> riders = new ArrayList<>(0);
    for (Amounts amounts : bucket.deferred().take(limits)) {
      riders.add(detached(Order.settle(bucket, terms, amounts)));
    }
    Stock stock = bucket.stock();
    if (stock != null && stock.limits().equals(limits)) {
      long nowMs = nowMs();
      Amounts returned = stock.takeReturns(nowMs);
      if (returned != null) {
        riders.add(detached(Order.settle(bucket, terms, returned)));
      }
      Amounts order = isAsked(batch) ? stock.order(nowMs) : null;
      if (order != null) {
        riders.add(provider(bucket, terms, runner, stock, order, nowMs));
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
    Terms terms = prepared.first().terms();
    Stock stock = stockOf(runner, bucket, terms, nowMs);
    if (!stock.take(prepared.amounts(), nowMs)) {
      return null;
    }
    Decision granted = core.granted(prepared);
    Amounts order = stock.order(nowMs);
    if (order == null) {
      return CompletableFuture.completedFuture(granted);
    }
    CompletableFuture<Void> ordered =
        runner
            .commit(ahead(bucket, terms, order))
            .thenAccept(outcome -> supplied(bucket, terms, runner, stock, order, nowMs, outcome));
    // A blocking runner is done by now; with the other nobody waits for the order.
    return ordered.isCompletedExceptionally()
        ? ordered.thenApply(never -> granted)
        : CompletableFuture.completedFuture(granted);
  }

  private Order ahead(Bucket bucket, Terms terms, Amounts order) {
    Demand demand = Demand.prefetch(order, leave(bucket, order.limits()));
    return new Order(bucket, terms, demand, /* mayCreate= */ false);
  }

  private Stock stockOf(Runner runner, Bucket bucket, Terms terms, long nowMs) {
    LimitSet limits = terms.limits();
    Stock stock = bucket.stock();
    if (stock != null && stock.limits().equals(limits)) {
      return stock;
    }
    Stock fresh = new Stock(limits, windowMs, nowMs);
    bucket.stock(fresh);
    if (stock != null) {
      List<CompletableFuture<?>> unused =
          giveBack(bucket, new Terms(stock.limits(), terms.stamp()), runner, stock.takeAll());
    }
    return fresh;
  }

  private Member provider(
      Bucket bucket, Terms terms, Runner runner, Stock stock, Amounts order, long orderedMs) {
    Member member = new Member(Member.Waiting.DETACHED, ahead(bucket, terms, order));
    CompletableFuture<Void> unused =
        member
            .turn()
            .thenAccept(
                turn -> {
                  Outcome outcome =
                      turn instanceof Member.Turn.Ended ended ? ended.outcome() : Outcome.SKIPPED;
                  supplied(bucket, terms, runner, stock, order, orderedMs, outcome);
                });
    return member;
  }

  private void supplied(
      Bucket bucket,
      Terms terms,
      Runner runner,
      Stock stock,
      Amounts order,
      long orderedMs,
      Outcome outcome) {
    long nowMs = nowMs();
    if (!(outcome instanceof Outcome.Admitted)) {
      stock.failed(nowMs);
    } else {
      stock.arrived(order, orderedMs + windowMs, nowMs);
      whenDue(
          windowMs + 1, runner, () -> giveBack(bucket, terms, runner, stock.takeReturns(nowMs())));
    }
  }

  /** What prefetching must leave to others. */
  private Amounts leave(Bucket bucket, LimitSet limits) {
    Sighting sighting = bucket.sighting();
    Share share = sighting == null ? Share.WHOLE : sighting.state().share();
    long[] milli = new long[limits.size()];
    for (int i = 0; i < milli.length; i++) {
      long mostMilli = share.partOf(limits.get(i).burstMilli());
      milli[i] = (long) (mostMilli * (1 - core.options().prefetchFraction()));
    }
    return Amounts.ofMilli(limits, milli);
  }

  /** Lets an adjustment wait for the next write; null when it must be written now. */
  boolean defer(Bucket bucket, Terms terms, Runner runner, Amounts amounts) {
    Deferred.Then then = bucket.deferred().add(terms, amounts);
    if (then == Deferred.Then.SCHEDULE) {
      whenDue(core.options().maxDefer().toMillis(), runner, () -> flushDeferred(bucket, runner));
    }
    return then != Deferred.Then.WRITE_NOW;
  }

  /** Writes down everything that waits: the limiter closes. */
  List<CompletableFuture<?>> flush(Bucket bucket, Runner runner) {
    List<CompletableFuture<?>> writes = flushDeferred(bucket, runner);
    Stock stock = bucket.stock();
    if (stock != null) {
      writes.addAll(giveBack(bucket, Terms.ofCall(stock.limits()), runner, stock.takeAll()));
    }
    return writes;
  }

  private List<CompletableFuture<?>> flushDeferred(Bucket bucket, Runner runner) {
    List<CompletableFuture<?>> writes = new ArrayList<>(0);
    Terms terms = bucket.deferred().terms();
    if (terms != null) {
      for (Amounts amounts : bucket.deferred().take(null)) {
        writes.add(
            runner.commitDetached(
                Order.settle(bucket, new Terms(amounts.limits(), terms.stamp()), amounts)));
      }
    }
    return writes;
  }

  private List<CompletableFuture<?>> giveBack(
      Bucket bucket, Terms terms, Runner runner, @Nullable Amounts returned) {
    return returned == null
        ? List.of()
        : List.of(runner.commitDetached(Order.settle(bucket, terms, returned)));
  }

  private Member detached(Order order) {
    Member member = new Member(Member.Waiting.DETACHED, order);
    core.settling().watchDetached(order.bucket(), order.demand(), member);
    return member;
  }

  /** Off the timer's thread: with a blocking store the task makes a round trip. */
  private void whenDue(long delayMs, Runner runner, Runnable task) {
    CompletableFuture<Void> timer = core.options().time().after(delayMs);
    CompletableFuture<Void> unused =
        runner.blocks()
            ? timer.thenRunAsync(task, core.options().threads().background())
            : timer.thenRun(task);
  }

  private long nowMs() {
    return core.options().time().elapsedMs();
  }
}
