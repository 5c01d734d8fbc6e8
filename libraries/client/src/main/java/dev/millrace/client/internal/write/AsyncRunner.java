package dev.millrace.client.internal.write;

import dev.millrace.LimiterOptions;
import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.mirror.QueuedOperation;
import dev.millrace.client.internal.mirror.WriteQueue;
import dev.millrace.client.internal.store.AsyncDriver;
import dev.millrace.client.internal.store.Deadline;
import dev.millrace.client.internal.store.Throwables;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.internal.protocol.CommitResult;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Carries out conversations on the store's threads; no caller ever waits. */
public final class AsyncRunner implements OperationRunner {
  private final LimiterOptions options;
  private final AsyncDriver driver;
  private final GroupCommit groupCommit;
  private final LeaderRelay relay;
  private final PendingSettlements pending;
  private final @Nullable Deadline budget;

  public AsyncRunner(
      LimiterOptions options,
      AsyncDriver driver,
      GroupCommit groupCommit,
      LeaderRelay relay,
      PendingSettlements pending) {
    this.options = options;
    this.driver = driver;
    this.groupCommit = groupCommit;
    this.relay = relay;
    this.pending = pending;
    this.budget = null;
  }

  private AsyncRunner(AsyncRunner like, Deadline budget) {
    this.options = like.options;
    this.driver = like.driver;
    this.groupCommit = like.groupCommit;
    this.relay = like.relay;
    this.pending = like.pending;
    this.budget = budget;
  }

  @Override
  public AsyncRunner within(Deadline limited) {
    return new AsyncRunner(this, limited);
  }

  @Override
  public Deadline budget() {
    return budget == null ? Deadline.of(options) : budget;
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
  public List<CompletableFuture<Outcome>> commitAll(List<BucketOperation> orders) {
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>(orders.size());
    for (BucketOperation order : orders) {
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
    CompletableFuture<Void> timer = options.time().after(budget().leftMs());
    return CompletableFuture.anyOf(event, timer)
        .whenComplete((happened, failure) -> timer.complete(null)) // frees it
        .thenCompose(happened -> then.get());
  }

  @Override
  public CompletableFuture<Outcome> commit(BucketOperation order) {
    // What is charged ahead is given back or used whenever it is answered: it is waited for.
    return commit(order, /* inTime= */ order.demand().kind() != BucketDemand.Kind.PREFETCH);
  }

  /** Brings a demand in for a caller that looks at the clock itself. */
  public CompletableFuture<Outcome> commitUntimed(BucketOperation order) {
    return commit(order, /* inTime= */ order.demand().kind() == BucketDemand.Kind.ACQUIRE);
  }

  /**
   * Brings a demand in.
   *
   * @param inTime whether one that queues is given up when its time is over
   */
  private CompletableFuture<Outcome> commit(BucketOperation order, boolean inTime) {
    MirroredBucket bucket = order.bucket();
    Deadline own = budget();
    QueuedOperation member =
        new QueuedOperation(QueuedOperation.Waiting.ASYNC, order, own.endsAtMs());
    if (!options.grouping()) {
      return driver
          .run(groupCommit.conversation(bucket, List.of(member)), own)
          .thenApply(result -> result.outcomes().get(0));
    }
    try {
      List<QueuedOperation> batch = bucket.channel().submit(member);
      if (batch != null) {
        lead(bucket, batch, own);
      } else if (inTime) {
        giveUpInTime(bucket, member, own);
      }
    } catch (WriteQueue.FullException e) {
      return CompletableFuture.completedFuture(groupCommit.queueFull(bucket));
    }
    return member
        .turn()
        .thenApply(
            turn -> {
              if (turn instanceof QueuedOperation.Turn.Ended ended) {
                return ended.outcome();
              }
              if (turn instanceof QueuedOperation.Turn.Abandoned abandoned) {
                return groupCommit.gaveUp(bucket, member, abandoned, StoreFailure.Kind.TIMED_OUT);
              }
              throw Throwables.unchecked(((QueuedOperation.Turn.Broken) turn).cause());
            });
  }

  /** Nobody looks at the clock for a future that waits: a timer does. */
  private void giveUpInTime(MirroredBucket bucket, QueuedOperation member, Deadline own) {
    CompletableFuture<Void> timer = options.time().after(own.leftMs());
    CompletableFuture<Void> unused =
        timer.thenRun(
            () -> {
              if (!member.turn().isDone()) {
                QueuedOperation.Turn unusedTold = GroupCommit.abandon(bucket, member);
              }
            });
    CompletableFuture<QueuedOperation.Turn> unusedTurn =
        member.turn().whenComplete((turn, failure) -> timer.complete(null)); // frees it
  }

  @Override
  public CompletableFuture<?> commitDetached(BucketOperation order) {
    MirroredBucket bucket = order.bucket();
    QueuedOperation member = new QueuedOperation(QueuedOperation.Waiting.DETACHED, order);
    pending.watch(bucket, order.demand(), member.outcome());
    try {
      List<QueuedOperation> batch = bucket.channel().submit(member);
      if (batch != null) {
        lead(bucket, batch);
      }
    } catch (WriteQueue.FullException e) {
      member.tell(
          new QueuedOperation.Turn.Ended(
              GroupCommit.failed(StoreFailure.Kind.BUSY, /* mayBeCharged= */ false, null)));
    }
    return member.turn();
  }

  /** Carries out a batch, calls the next one, and tells the members. */
  public void lead(MirroredBucket bucket, List<QueuedOperation> waiting) {
    lead(bucket, waiting, Deadline.of(options)); // each member looks after its own time
  }

  private void lead(MirroredBucket bucket, List<QueuedOperation> waiting, Deadline time) {
    List<QueuedOperation> batch;
    try {
      batch = groupCommit.withRiders(bucket, waiting);
    } catch (RuntimeException | Error broken) {
      try {
        relay.handOn(bucket);
      } finally {
        GroupCommit.tellBroken(waiting, broken);
      }
      return;
    }
    CompletableFuture<CommitResult> unused =
        started(bucket, batch, time)
            .whenComplete(
                (result, failure) -> {
                  try {
                    relay.handOn(bucket); // first: the next write need not wait for callers
                  } finally {
                    tell(bucket, batch, result, failure);
                  }
                });
  }

  private void tell(
      MirroredBucket bucket,
      List<QueuedOperation> batch,
      @Nullable CommitResult result,
      @Nullable Throwable failure) {
    if (result != null) {
      GroupCommit.tell(bucket, this, batch, result);
    } else {
      GroupCommit.tellBroken(batch, Throwables.unwrapped(Objects.requireNonNull(failure)));
    }
  }

  private CompletableFuture<CommitResult> started(
      MirroredBucket bucket, List<QueuedOperation> batch, Deadline time) {
    try {
      return driver.run(groupCommit.conversation(bucket, batch), time);
    } catch (RuntimeException | Error broken) {
      return CompletableFuture.failedFuture(broken);
    }
  }
}
