package dev.millrace.client.internal;

import dev.millrace.core.protocol.CommitResult;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.Step;
import dev.millrace.core.store.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Carries out conversations on the store's threads; no caller ever waits. */
final class AsyncRunner implements Runner {
  private final LimiterCore core;
  private final AsyncDriver driver;
  private final @Nullable Budget budget;

  AsyncRunner(LimiterCore core, AsyncDriver driver) {
    this(core, driver, null);
  }

  private AsyncRunner(LimiterCore core, AsyncDriver driver, @Nullable Budget budget) {
    this.core = core;
    this.driver = driver;
    this.budget = budget;
  }

  @Override
  public AsyncRunner within(Budget limited) {
    return new AsyncRunner(core, driver, limited);
  }

  @Override
  public Budget budget() {
    return budget == null ? Budget.of(core.options()) : budget;
  }

  @Override
  public <R> CompletableFuture<R> run(Step<R> step) {
    return driver.run(step, budget());
  }

  @Override
  public boolean blocks() {
    return false;
  }

  @Override
  public List<CompletableFuture<Outcome>> commitAll(List<Order> orders) {
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>(orders.size());
    for (Order order : orders) {
      outcomes.add(commit(order));
    }
    return outcomes;
  }

  @Override
  public <R> CompletableFuture<R> after(
      CompletableFuture<?> event, Supplier<CompletableFuture<R>> then) {
    if (event.isDone()) {
      return event.thenCompose(happened -> then.get());
    }
    CompletableFuture<Void> timer = core.options().time().after(budget().leftMs());
    return CompletableFuture.anyOf(event, timer)
        .whenComplete((happened, failure) -> timer.complete(null)) // frees it
        .thenCompose(happened -> then.get());
  }

  @Override
  public CompletableFuture<Outcome> commit(Order order) {
    Bucket bucket = order.bucket();
    Budget own = budget();
    Member member = new Member(Member.Waiting.ASYNC, order, own.endsAtMs());
    if (!core.options().grouping()) {
      return driver
          .run(Batches.conversation(core, bucket, List.of(member)), own)
          .thenApply(result -> result.outcomes().get(0));
    }
    try {
      List<Member> batch = bucket.channel().submit(member);
      if (batch != null) {
        lead(bucket, batch, own);
      } else {
        giveUpInTime(bucket, member, own);
      }
    } catch (Channel.FullException e) {
      return CompletableFuture.completedFuture(core.queueFull(bucket));
    }
    return member
        .turn()
        .thenApply(
            turn -> {
              if (turn instanceof Member.Turn.Ended ended) {
                return ended.outcome();
              }
              if (turn instanceof Member.Turn.Abandoned abandoned) {
                return Batches.gaveUp(core, bucket, member, abandoned, StoreFailure.Kind.TIMED_OUT);
              }
              throw Thrown.unchecked(((Member.Turn.Broken) turn).cause());
            });
  }

  /** Nobody looks at the clock for a future that waits: a timer does. */
  private void giveUpInTime(Bucket bucket, Member member, Budget own) {
    CompletableFuture<Void> timer = core.options().time().after(own.leftMs());
    CompletableFuture<Void> unused =
        timer.thenRun(
            () -> {
              if (!member.turn().isDone()) {
                Member.Turn unusedTold = Batches.abandon(bucket, member);
              }
            });
    CompletableFuture<Member.Turn> unusedTurn =
        member.turn().whenComplete((turn, failure) -> timer.complete(null)); // frees it
  }

  @Override
  public CompletableFuture<?> commitDetached(Order order) {
    Bucket bucket = order.bucket();
    Member member = new Member(Member.Waiting.DETACHED, order);
    core.pending().watch(bucket, order.demand(), member.outcome());
    try {
      List<Member> batch = bucket.channel().submit(member);
      if (batch != null) {
        lead(bucket, batch);
      }
    } catch (Channel.FullException e) {
      member.tell(
          new Member.Turn.Ended(
              Batches.failed(StoreFailure.Kind.BUSY, /* mayBeCharged= */ false, null)));
    }
    return member.turn();
  }

  /** Carries out a batch, calls the next one, and tells the members. */
  void lead(Bucket bucket, List<Member> waiting) {
    lead(bucket, waiting, Budget.of(core.options())); // each member looks after its own time
  }

  private void lead(Bucket bucket, List<Member> waiting, Budget time) {
    List<Member> batch;
    try {
      batch = core.riders().join(bucket, waiting);
    } catch (RuntimeException | Error broken) {
      try {
        core.relay().handOn(bucket);
      } finally {
        Batches.tellBroken(waiting, broken);
      }
      return;
    }
    CompletableFuture<CommitResult> unused =
        started(bucket, batch, time)
            .whenComplete(
                (result, failure) -> {
                  try {
                    core.relay().handOn(bucket); // first: the next write need not wait for callers
                  } finally {
                    tell(bucket, batch, result, failure);
                  }
                });
  }

  private void tell(
      Bucket bucket,
      List<Member> batch,
      @Nullable CommitResult result,
      @Nullable Throwable failure) {
    if (result != null) {
      Batches.tell(bucket, this, batch, result);
    } else {
      Batches.tellBroken(batch, Thrown.unwrapped(Objects.requireNonNull(failure)));
    }
  }

  private CompletableFuture<CommitResult> started(Bucket bucket, List<Member> batch, Budget time) {
    try {
      return driver.run(Batches.conversation(core, bucket, batch), time);
    } catch (RuntimeException | Error broken) {
      return CompletableFuture.failedFuture(broken);
    }
  }
}
