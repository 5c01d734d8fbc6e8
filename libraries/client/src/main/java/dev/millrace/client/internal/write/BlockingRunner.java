package dev.millrace.client.internal.write;

import dev.millrace.LimiterOptions;
import dev.millrace.Threads;
import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.mirror.PlaceInLine;
import dev.millrace.client.internal.mirror.WriteQueue;
import dev.millrace.client.internal.store.BlockingDriver;
import dev.millrace.client.internal.store.CallBudget;
import dev.millrace.client.internal.store.Throwables;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.internal.protocol.CommitResult;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out conversations on the caller's thread. Of the callers of one bucket one leads a batch,
 * the others follow, and no thread but theirs is needed.
 */
public final class BlockingRunner implements OperationRunner {
  /**
   * Most looks at a signal before the thread is parked, where the last write took less than {@link
   * WriteQueue#FAST_NANOS}: to park and to wake a thread takes longer than such a write.
   */
  private static final int MAX_SPINS = 256;

  private final BlockingDriver driver;
  private final GroupCommit groupCommit;
  private final LeaderRelay relay;
  private final PendingSettlements pending;
  private final Threads threads;
  private final boolean grouping;
  private final CallBudget limit;
  private final @Nullable CallBudget budget;

  /** The caller's place in a wait line, null for one that does not wait for tokens. */
  private final @Nullable PlaceInLine place;

  public BlockingRunner(
      LimiterOptions options,
      BlockingDriver driver,
      GroupCommit groupCommit,
      LeaderRelay relay,
      PendingSettlements pending) {
    this.driver = driver;
    this.groupCommit = groupCommit;
    this.relay = relay;
    this.pending = pending;
    this.threads = options.threads();
    this.grouping = options.grouping();
    this.limit = CallBudget.of(options);
    this.budget = null;
    this.place = null;
  }

  private BlockingRunner(
      BlockingRunner like, @Nullable CallBudget budget, @Nullable PlaceInLine place) {
    this.driver = like.driver;
    this.groupCommit = like.groupCommit;
    this.relay = like.relay;
    this.pending = like.pending;
    this.threads = like.threads;
    this.grouping = like.grouping;
    this.limit = like.limit;
    this.budget = budget;
    this.place = place;
  }

  @Override
  public BlockingRunner within(CallBudget limited) {
    return new BlockingRunner(this, limited, place);
  }

  /** The same for a caller in a wait line, which may leave together with others. */
  public BlockingRunner of(PlaceInLine caller) {
    return new BlockingRunner(this, budget, caller);
  }

  @Override
  public CallBudget budget() {
    return budget == null ? limit.again() : budget;
  }

  @Override
  public <R> CompletableFuture<R> run(Step<R> step) {
    return CompletableFuture.completedFuture(driver.run(step, budget()));
  }

  @Override
  public boolean blocks() {
    return true;
  }

  @Override
  public <R> CompletableFuture<R> after(
      CompletableFuture<?> event, Supplier<CompletableFuture<R>> then) {
    boolean unused = ConcurrentOperation.await(threads, event, budget().endsAtNanos());
    return then.get();
  }

  @Override
  public List<CompletableFuture<Outcome>> commitAll(List<BucketOperation> operations) {
    long endsAtNanos = budget().endsAtNanos();
    List<ConcurrentOperation> others = new ArrayList<>(operations.size() - 1);
    for (int i = 1; i < operations.size(); i++) {
      others.add(concurrent(operations.get(i)));
    }
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>(operations.size());
    try {
      outcomes.add(commit(operations.get(0)));
    } catch (RuntimeException | Error broken) {
      outcomes.add(CompletableFuture.failedFuture(broken));
    }
    for (ConcurrentOperation other : others) {
      outcomes.add(other.outcome(endsAtNanos)); // one time limit for all of them
    }
    return outcomes;
  }

  /** By the asynchronous half of the store when there is one, else on a helper thread. */
  private ConcurrentOperation concurrent(BucketOperation operation) {
    AsyncRunner async = relay.async();
    return async != null && grouping
        ? new ConcurrentOperation(
            async, operation, async.within(budget()).commitUntimed(operation), threads, pending)
        : new ConcurrentOperation(this, operation, byHelper(operation), threads, pending);
  }

  private CompletableFuture<Outcome> byHelper(BucketOperation operation) {
    MirroredBucket bucket = operation.bucket();
    List<BucketOperation> batch;
    try {
      batch = bucket.writeQueue().submit(operation.waiting(BucketOperation.Waiting.ASIDE));
    } catch (WriteQueue.FullException e) {
      return CompletableFuture.completedFuture(groupCommit.queueFull(bucket));
    }
    if (batch != null) {
      relay.leadAside(this, bucket, batch);
    }
    return operation
        .signal()
        .thenApply(
            signal -> {
              if (signal instanceof BucketOperation.Signal.Ended ended) {
                return ended.outcome();
              }
              throw Throwables.unchecked(((BucketOperation.Signal.Broken) signal).cause());
            });
  }

  @Override
  public CompletableFuture<Outcome> commit(BucketOperation operation) {
    return CompletableFuture.completedFuture(outcome(operation));
  }

  private Outcome outcome(BucketOperation operation) {
    MirroredBucket bucket = operation.bucket();
    if (!grouping) {
      return driver
          .run(groupCommit.conversation(bucket, List.of(operation)), budget())
          .outcomes()
          .get(0);
    }
    List<BucketOperation> batch;
    try {
      batch =
          bucket
              .writeQueue()
              .submit(operation.waiting(BucketOperation.Waiting.BLOCKING).inLine(place));
    } catch (WriteQueue.FullException e) {
      return groupCommit.queueFull(bucket);
    } finally {
      if (place != null) {
        place.arrived();
      }
    }
    if (batch != null) {
      return lead(bucket, batch, operation);
    }
    BucketOperation.Signal signal = follow(bucket, operation);
    if (signal instanceof BucketOperation.Signal.Ended ended) {
      return ended.outcome();
    }
    if (signal instanceof BucketOperation.Signal.Lead lead) {
      return lead(bucket, lead.batch(), operation);
    }
    throw Throwables.unchecked(((BucketOperation.Signal.Broken) signal).cause());
  }

  /**
   * Waits for the signal, but no longer than a decision may take. An interrupt ends the wait of an
   * acquire; a settlement waits on, because what a call has cost must not be lost.
   */
  private BucketOperation.Signal follow(MirroredBucket bucket, BucketOperation operation) {
    CompletableFuture<BucketOperation.Signal> signal = operation.signal();
    if (bucket.writeQueue().isFast()) {
      for (int i = 0; i < MAX_SPINS && !signal.isDone(); i++) {
        Thread.onSpinWait();
      }
      if (signal.isDone()) {
        return signal.join(); // is done: does not wait
      }
    }
    long endsAtNanos = budget().endsAtNanos();
    boolean interrupted = false;
    try {
      while (true) { // ends: with the time that a decision may take
        try {
          return threads.await(signal, endsAtNanos - threads.nanoTime())
              ? signal.join() // is done: does not wait
              : gaveUp(bucket, operation, StoreFailure.Kind.TIMED_OUT);
        } catch (InterruptedException e) {
          interrupted = true;
          if (operation.demand().kind() != BucketDemand.Kind.SETTLE) {
            return gaveUp(bucket, operation, StoreFailure.Kind.INTERRUPTED);
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private BucketOperation.Signal gaveUp(
      MirroredBucket bucket, BucketOperation operation, StoreFailure.Kind reason) {
    BucketOperation.Signal signal = GroupCommit.abandon(bucket, operation);
    return signal instanceof BucketOperation.Signal.Abandoned abandoned
        ? new BucketOperation.Signal.Ended(groupCommit.gaveUp(bucket, operation, abandoned, reason))
        : signal;
  }

  /** Carries out a batch, wakes the next leader and the followers; returns the own outcome. */
  private Outcome lead(MirroredBucket bucket, List<BucketOperation> waiting, BucketOperation own) {
    List<BucketOperation> batch = waiting;
    CommitResult result;
    try {
      batch = groupCommit.withPiggyback(bucket, waiting);
      long sentNanos = threads.nanoTime();
      result = driver.run(groupCommit.conversation(bucket, batch), budget());
      bucket.writeQueue().took(threads.nanoTime() - sentNanos);
    } catch (RuntimeException | Error broken) {
      try {
        relay.handOn(bucket);
      } finally {
        GroupCommit.deliverFailure(batch, broken);
      }
      throw broken;
    }
    try {
      if (!bucket.writeQueue().becomesIdle()) {
        relay.handOn(bucket); // before anything else: the next write need not wait for us
      }
    } finally {
      GroupCommit.deliver(this, batch, result);
    }
    return result.outcomes().get(batch.indexOf(own));
  }

  @Override
  public CompletableFuture<?> commitDetached(BucketOperation operation) {
    MirroredBucket bucket = operation.bucket();
    pending.watch(bucket, operation.demand(), operation.outcome());
    try {
      List<BucketOperation> batch = bucket.writeQueue().submit(operation);
      if (batch != null) {
        within(limit.again()).leadDetached(bucket, batch);
        relay.handOn(bucket);
      }
    } catch (WriteQueue.FullException e) {
      operation.complete(
          new BucketOperation.Signal.Ended(
              GroupCommit.failed(StoreFailure.Kind.BUSY, /* mayBeCharged= */ false, null)));
    }
    return operation.signal();
  }

  /** Carries out a batch for which no waiting thread can lead. */
  public void leadDetached(MirroredBucket bucket, List<BucketOperation> waiting) {
    List<BucketOperation> batch = waiting;
    try {
      batch = groupCommit.withPiggyback(bucket, waiting);
      CommitResult result = driver.run(groupCommit.conversation(bucket, batch), budget());
      GroupCommit.deliver(this, batch, result);
    } catch (RuntimeException | Error broken) {
      GroupCommit.deliverFailure(batch, broken);
    }
  }
}
