package dev.millrace.client.internal.write;

import dev.millrace.Threads;
import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.client.internal.mirror.QueuedOperation;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.store.StoreFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A demand that is brought into its bucket while the caller's thread works elsewhere: by the
 * asynchronous half of the store when there is one, else by a helper.
 */
public final class ConcurrentOperation {
  private static final StoreFailure LATE = new StoreFailure(StoreFailure.Kind.TIMED_OUT, null);

  private final OperationRunner runner;
  private final BucketOperation order;
  private final @Nullable QueuedOperation member;
  private final CompletableFuture<Outcome> outcome;
  private final Threads threads;
  private final PendingSettlements pending;

  /**
   * A demand that has begun.
   *
   * @param runner the one that brings it in
   * @param member its place in the queue of its bucket, null when the runner gives up by itself
   * @param outcome completes when it is in
   */
  public ConcurrentOperation(
      OperationRunner runner,
      BucketOperation order,
      @Nullable QueuedOperation member,
      CompletableFuture<Outcome> outcome,
      Threads threads,
      PendingSettlements pending) {
    this.runner = runner;
    this.order = order;
    this.member = member;
    this.outcome = outcome;
    this.threads = threads;
    this.pending = pending;
  }

  /** What became of it; waits, but not beyond {@code endsAtNanos}. */
  public CompletableFuture<Outcome> outcome(long endsAtNanos) {
    if (await(threads, outcome, endsAtNanos)) {
      return outcome;
    }
    if (member != null
        && order.demand().kind() == BucketDemand.Kind.ACQUIRE
        && order.bucket().channel().withdraw(member)) {
      // Surely not charged: a request that comes again must not be charged beside it.
      return CompletableFuture.completedFuture(
          new Outcome.Unavailable(LATE, /* mayBeCharged= */ false));
    }
    CompletableFuture<Void> unused =
        outcome.thenAccept(
            late -> {
              if (late instanceof Outcome.Admitted
                  && order.demand().kind() == BucketDemand.Kind.ACQUIRE) {
                CompletableFuture<?> unusedRefund =
                    runner.commitDetached(
                        BucketOperation.settle(
                            order.bucket(), order.terms(), order.demand().amounts().negated()));
              }
            });
    return CompletableFuture.completedFuture(
        order.demand().kind() == BucketDemand.Kind.SETTLE
            ? pending.goOn(order.bucket(), order.demand(), outcome, LATE)
            : new Outcome.Unavailable(LATE, /* mayBeCharged= */ true));
  }

  /**
   * Waits for {@code event}; false when it takes too long. An interrupt does not end it and is kept
   * for the caller: what the other buckets were charged must be known.
   */
  public static boolean await(Threads threads, CompletableFuture<?> event, Duration maxWait) {
    return await(threads, event, threads.nanoTime() + maxWait.toNanos());
  }

  public static boolean await(Threads threads, CompletableFuture<?> event, long endsAtNanos) {
    boolean interrupted = false;
    try {
      while (true) { // ends: with the time that a decision may take
        try {
          return threads.await(event, endsAtNanos - threads.nanoTime());
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
