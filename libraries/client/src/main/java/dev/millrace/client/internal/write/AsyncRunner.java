package dev.millrace.client.internal.write;

import dev.millrace.LimiterOptions;
import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.mirror.WriteQueue;
import dev.millrace.client.internal.store.AsyncDriver;
import dev.millrace.client.internal.store.CallBudget;
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
  private final CallBudget limit;
  private final @Nullable CallBudget budget;

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
    this.limit = CallBudget.of(options);
    this.budget = null;
  }

  private AsyncRunner(AsyncRunner like, CallBudget budget) {
    this.options = like.options;
    this.driver = like.driver;
    this.groupCommit = like.groupCommit;
    this.relay = like.relay;
    this.pending = like.pending;
    this.limit = like.limit;
    this.budget = budget;
  }

  @Override
  public AsyncRunner within(CallBudget limited) {
    return new AsyncRunner(this, limited);
  }

  @Override
  public CallBudget budget() {
    return budget == null ? limit.again() : budget;
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
  public List<CompletableFuture<Outcome>> commitAll(List<BucketOperation> operations) {
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>(operations.size());
    for (BucketOperation operation : operations) {
      outcomes.add(commit(operation));
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
  public CompletableFuture<Outcome> commit(BucketOperation operation) {
    // What is charged ahead is given back or used whenever it is answered: it is waited for.
    return commit(operation, /* inTime= */ operation.demand().kind() != BucketDemand.Kind.PREFETCH);
  }

  /** Brings a demand in for a caller that looks at the clock itself. */
  public CompletableFuture<Outcome> commitUntimed(BucketOperation operation) {
    return commit(operation, /* inTime= */ operation.demand().kind() == BucketDemand.Kind.ACQUIRE);
  }

  /**
   * Brings a demand in.
   *
   * @param inTime whether one that queues is given up when its time is over
   */
  private CompletableFuture<Outcome> commit(BucketOperation operation, boolean inTime) {
    MirroredBucket bucket = operation.bucket();
    CallBudget own = budget();
    operation.waiting(BucketOperation.Waiting.ASYNC).until(own.endsAtMs());
    if (!options.grouping()) {
      return driver
          .run(groupCommit.conversation(bucket, List.of(operation)), own)
          .thenApply(result -> result.outcomes().get(0));
    }
    try {
      List<BucketOperation> batch = bucket.writeQueue().submit(operation);
      if (batch != null) {
        lead(bucket, batch, own);
      } else if (inTime) {
        giveUpInTime(bucket, operation, own);
      }
    } catch (WriteQueue.FullException e) {
      return CompletableFuture.completedFuture(groupCommit.queueFull(bucket));
    }
    return operation
        .signal()
        .thenApply(
            signal -> {
              if (signal instanceof BucketOperation.Signal.Ended ended) {
                return ended.outcome();
              }
              if (signal instanceof BucketOperation.Signal.Abandoned abandoned) {
                return groupCommit.gaveUp(
                    bucket, operation, abandoned, StoreFailure.Kind.TIMED_OUT);
              }
              throw Throwables.unchecked(((BucketOperation.Signal.Broken) signal).cause());
            });
  }

  /** Nobody looks at the clock for a future that waits: a timer does. */
  private void giveUpInTime(MirroredBucket bucket, BucketOperation operation, CallBudget own) {
    CompletableFuture<Void> timer = options.time().after(own.leftMs());
    CompletableFuture<Void> unused =
        timer.thenRun(
            () -> {
              if (!operation.signal().isDone()) {
                BucketOperation.Signal unusedSignal = GroupCommit.abandon(bucket, operation);
              }
            });
    CompletableFuture<BucketOperation.Signal> unusedSignal =
        operation.signal().whenComplete((signal, failure) -> timer.complete(null)); // frees it
  }

  @Override
  public CompletableFuture<?> commitDetached(BucketOperation operation) {
    MirroredBucket bucket = operation.bucket();
    pending.watch(bucket, operation.demand(), operation.outcome());
    try {
      List<BucketOperation> batch = bucket.writeQueue().submit(operation);
      if (batch != null) {
        lead(bucket, batch);
      }
    } catch (WriteQueue.FullException e) {
      operation.complete(
          new BucketOperation.Signal.Ended(
              GroupCommit.failed(StoreFailure.Kind.BUSY, /* mayBeCharged= */ false, null)));
    }
    return operation.signal();
  }

  /** Carries out a batch, calls the next one, and tells the members. */
  public void lead(MirroredBucket bucket, List<BucketOperation> waiting) {
    lead(bucket, waiting, limit.again()); // each member looks after its own time
  }

  private void lead(MirroredBucket bucket, List<BucketOperation> waiting, CallBudget time) {
    List<BucketOperation> batch;
    try {
      batch = groupCommit.withPiggyback(bucket, waiting);
    } catch (RuntimeException | Error broken) {
      try {
        relay.handOn(bucket);
      } finally {
        GroupCommit.deliverFailure(waiting, broken);
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
                    deliver(batch, result, failure);
                  }
                });
  }

  private void deliver(
      List<BucketOperation> batch, @Nullable CommitResult result, @Nullable Throwable failure) {
    if (result != null) {
      GroupCommit.deliver(this, batch, result);
    } else {
      GroupCommit.deliverFailure(batch, Throwables.unwrapped(Objects.requireNonNull(failure)));
    }
  }

  private CompletableFuture<CommitResult> started(
      MirroredBucket bucket, List<BucketOperation> batch, CallBudget time) {
    try {
      return driver.run(groupCommit.conversation(bucket, batch), time);
    } catch (RuntimeException | Error broken) {
      return CompletableFuture.failedFuture(broken);
    }
  }
}
