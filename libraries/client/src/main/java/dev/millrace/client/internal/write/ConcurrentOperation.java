package dev.millrace.client.internal.write;

import dev.millrace.Threads;
import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.store.StoreFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * An operation that is carried out while the caller's thread works on another bucket: by the
 * asynchronous half of the store when there is one, else by a helper thread.
 */
public final class ConcurrentOperation {
  private static final StoreFailure LATE = new StoreFailure(StoreFailure.Kind.TIMED_OUT, null);

  private final OperationRunner runner;
  private final BucketOperation operation;
  private final CompletableFuture<Outcome> outcome;
  private final Threads threads;
  private final PendingSettlements pending;

  /**
   * An operation that has begun.
   *
   * @param runner the one that carries it out
   * @param outcome completes when it has ended
   */
  public ConcurrentOperation(
      OperationRunner runner,
      BucketOperation operation,
      CompletableFuture<Outcome> outcome,
      Threads threads,
      PendingSettlements pending) {
    this.runner = runner;
    this.operation = operation;
    this.outcome = outcome;
    this.threads = threads;
    this.pending = pending;
  }

  /** What became of it; waits, but not beyond {@code endsAtNanos}. */
  public CompletableFuture<Outcome> outcome(long endsAtNanos) {
    if (await(threads, outcome, endsAtNanos)) {
      return outcome;
    }
    boolean acquires = operation.demand().kind() == BucketDemand.Kind.ACQUIRE;
    if (acquires && runner.blocks() && operation.bucket().writeQueue().withdraw(operation)) {
      // Surely not charged: a request that comes again must not be charged beside it.
      return CompletableFuture.completedFuture(
          new Outcome.Unavailable(LATE, /* mayBeCharged= */ false));
    }
    CompletableFuture<Void> unused =
        outcome.thenAccept(
            late -> {
              if (late instanceof Outcome.Admitted && acquires) {
                CompletableFuture<?> unusedRefund = runner.commitDetached(operation.refund());
              }
            });
    return CompletableFuture.completedFuture(
        operation.demand().kind() == BucketDemand.Kind.SETTLE
            ? pending.goOn(operation.bucket(), operation.demand(), outcome, LATE)
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
