package dev.millrace.client.internal.write;

import dev.millrace.LimiterOptions;
import dev.millrace.Threads;
import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.mirror.PlaceInLine;
import dev.millrace.client.internal.mirror.QueuedOperation;
import dev.millrace.client.internal.mirror.WriteQueue;
import dev.millrace.client.internal.store.BlockingDriver;
import dev.millrace.client.internal.store.Deadline;
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
 * Carries out conversations on the caller's thread. Callers of one bucket take turns: one leads,
 * the others follow, and no thread but theirs is needed.
 */
public final class BlockingRunner implements OperationRunner {
  private final LimiterOptions options;
  private final BlockingDriver driver;
  private final GroupCommit groupCommit;
  private final LeaderRelay relay;
  private final PendingSettlements pending;
  private final Threads threads;
  private final @Nullable Deadline budget;

  /** The caller's place in a wait line, null for one that does not wait for tokens. */
  private final @Nullable PlaceInLine place;

  public BlockingRunner(
      LimiterOptions options,
      BlockingDriver driver,
      GroupCommit groupCommit,
      LeaderRelay relay,
      PendingSettlements pending) {
    this.options = options;
    this.driver = driver;
    this.groupCommit = groupCommit;
    this.relay = relay;
    this.pending = pending;
    this.threads = options.threads();
    this.budget = null;
    this.place = null;
  }

  private BlockingRunner(
      BlockingRunner like, @Nullable Deadline budget, @Nullable PlaceInLine place) {
    this.options = like.options;
    this.driver = like.driver;
    this.groupCommit = like.groupCommit;
    this.relay = like.relay;
    this.pending = like.pending;
    this.threads = like.threads;
    this.budget = budget;
    this.place = place;
  }

  @Override
  public BlockingRunner within(Deadline limited) {
    return new BlockingRunner(this, limited, place);
  }

  /** The same for a caller in a wait line, which may leave together with others. */
  public BlockingRunner of(PlaceInLine caller) {
    return new BlockingRunner(this, budget, caller);
  }

  @Override
  public Deadline budget() {
    return budget == null ? Deadline.of(options) : budget;
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
  public List<CompletableFuture<Outcome>> commitAll(List<BucketOperation> orders) {
    long endsAtNanos = budget().endsAtNanos();
    List<ConcurrentOperation> others = new ArrayList<>(orders.size() - 1);
    for (int i = 1; i < orders.size(); i++) {
      others.add(aside(orders.get(i)));
    }
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>(orders.size());
    try {
      outcomes.add(commit(orders.get(0)));
    } catch (RuntimeException | Error broken) {
      outcomes.add(CompletableFuture.failedFuture(broken));
    }
    for (ConcurrentOperation other : others) {
      outcomes.add(other.outcome(endsAtNanos)); // one time limit for all of them
    }
    return outcomes;
  }

  /** By the asynchronous half of the store when there is one, else by a helper's thread. */
  private ConcurrentOperation aside(BucketOperation order) {
    AsyncRunner async = relay.async();
    return async != null && options.grouping()
        ? new ConcurrentOperation(
            async, order, null, async.within(budget()).commitUntimed(order), threads, pending)
        : byHelper(order);
  }

  private ConcurrentOperation byHelper(BucketOperation order) {
    QueuedOperation member = new QueuedOperation(QueuedOperation.Waiting.ASIDE, order);
    return new ConcurrentOperation(this, order, member, byHelper(order, member), threads, pending);
  }

  private CompletableFuture<Outcome> byHelper(BucketOperation order, QueuedOperation member) {
    MirroredBucket bucket = order.bucket();
    List<QueuedOperation> batch;
    try {
      batch = bucket.channel().submit(member);
    } catch (WriteQueue.FullException e) {
      return CompletableFuture.completedFuture(groupCommit.queueFull(bucket));
    }
    if (batch != null) {
      relay.leadAside(this, bucket, batch);
    }
    return member
        .turn()
        .thenApply(
            turn -> {
              if (turn instanceof QueuedOperation.Turn.Ended ended) {
                return ended.outcome();
              }
              throw Throwables.unchecked(((QueuedOperation.Turn.Broken) turn).cause());
            });
  }

  @Override
  public CompletableFuture<Outcome> commit(BucketOperation order) {
    return CompletableFuture.completedFuture(outcome(order));
  }

  private Outcome outcome(BucketOperation order) {
    MirroredBucket bucket = order.bucket();
    QueuedOperation member = new QueuedOperation(QueuedOperation.Waiting.BLOCKING, order, place);
    if (!options.grouping()) {
      return driver
          .run(groupCommit.conversation(bucket, List.of(member)), budget())
          .outcomes()
          .get(0);
    }
    List<QueuedOperation> batch;
    try {
      batch = bucket.channel().submit(member);
    } catch (WriteQueue.FullException e) {
      return groupCommit.queueFull(bucket);
    } finally {
      if (place != null) {
        place.arrived();
      }
    }
    if (batch != null) {
      return lead(bucket, batch, member);
    }
    QueuedOperation.Turn turn = follow(bucket, member);
    if (turn instanceof QueuedOperation.Turn.Ended ended) {
      return ended.outcome();
    }
    if (turn instanceof QueuedOperation.Turn.Lead lead) {
      return lead(bucket, lead.batch(), member);
    }
    throw Throwables.unchecked(((QueuedOperation.Turn.Broken) turn).cause());
  }

  /**
   * Waits to be told, but no longer than a decision may take. An interrupt ends the wait of who
   * asks; who settles waits on, because what a call has cost must not be lost.
   */
  private QueuedOperation.Turn follow(MirroredBucket bucket, QueuedOperation member) {
    long endsAtNanos = budget().endsAtNanos();
    boolean interrupted = false;
    try {
      while (true) { // ends: with the time that a decision may take
        try {
          return threads.await(member.turn(), endsAtNanos - threads.nanoTime())
              ? member.turn().join() // is done: does not wait
              : gaveUp(bucket, member, StoreFailure.Kind.TIMED_OUT);
        } catch (InterruptedException e) {
          interrupted = true;
          if (member.demand().kind() != BucketDemand.Kind.SETTLE) {
            return gaveUp(bucket, member, StoreFailure.Kind.INTERRUPTED);
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private QueuedOperation.Turn gaveUp(
      MirroredBucket bucket, QueuedOperation member, StoreFailure.Kind reason) {
    QueuedOperation.Turn told = GroupCommit.abandon(bucket, member);
    return told instanceof QueuedOperation.Turn.Abandoned abandoned
        ? new QueuedOperation.Turn.Ended(groupCommit.gaveUp(bucket, member, abandoned, reason))
        : told;
  }

  /** Carries out a batch, calls the next one, and tells the followers; returns what is our own. */
  private Outcome lead(MirroredBucket bucket, List<QueuedOperation> waiting, QueuedOperation self) {
    List<QueuedOperation> batch = waiting;
    CommitResult result;
    try {
      batch = groupCommit.withRiders(bucket, waiting);
      result = driver.run(groupCommit.conversation(bucket, batch), budget());
    } catch (RuntimeException | Error broken) {
      try {
        relay.handOn(bucket);
      } finally {
        GroupCommit.tellBroken(batch, broken);
      }
      throw broken;
    }
    try {
      if (!bucket.channel().becomesIdle()) {
        relay.handOn(bucket); // before anything else: the next write need not wait for us
      }
    } finally {
      GroupCommit.tell(bucket, this, batch, result);
    }
    return result.outcomes().get(batch.indexOf(self));
  }

  @Override
  public CompletableFuture<?> commitDetached(BucketOperation order) {
    MirroredBucket bucket = order.bucket();
    QueuedOperation member = new QueuedOperation(QueuedOperation.Waiting.DETACHED, order);
    pending.watch(bucket, order.demand(), member.outcome());
    try {
      List<QueuedOperation> batch = bucket.channel().submit(member);
      if (batch != null) {
        leadForNobody(bucket, batch);
        relay.handOn(bucket);
      }
    } catch (WriteQueue.FullException e) {
      member.tell(
          new QueuedOperation.Turn.Ended(
              GroupCommit.failed(StoreFailure.Kind.BUSY, /* mayBeCharged= */ false, null)));
    }
    return member.turn();
  }

  /** Carries out a batch for which no thread waits that could lead it. */
  public void leadForNobody(MirroredBucket bucket, List<QueuedOperation> waiting) {
    List<QueuedOperation> batch = waiting;
    try {
      batch = groupCommit.withRiders(bucket, waiting);
      // Others have given it to whichever thread this is: its own time does not count.
      Deadline whole = Deadline.of(options);
      CommitResult result = driver.run(groupCommit.conversation(bucket, batch), whole);
      GroupCommit.tell(bucket, this, batch, result);
    } catch (RuntimeException | Error broken) {
      GroupCommit.tellBroken(batch, broken);
    }
  }
}
