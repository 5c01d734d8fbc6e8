package dev.millrace.client.internal.write;

import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.client.internal.store.CallBudget;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.internal.protocol.Step;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Carries out conversations with a store, in one of two ways: on the caller's thread, so that every
 * future it returns is complete, or on the store's.
 */
public interface OperationRunner {
  /** Brings a demand into a bucket, together with those of others. */
  CompletableFuture<Outcome> commit(BucketOperation order);

  /**
   * Brings demands into several buckets at the same time. Every future completes; one that breaks
   * on a mistake or a bug completes exceptionally.
   */
  List<CompletableFuture<Outcome>> commitAll(List<BucketOperation> orders);

  /** Brings a demand into a bucket for which nobody has to wait; completes when that is done. */
  CompletableFuture<?> commitDetached(BucketOperation order);

  /** Carries out one conversation. */
  <R> CompletableFuture<R> run(Step<R> step);

  /** Goes on when {@code event} has happened, or when it takes too long. */
  <R> CompletableFuture<R> after(CompletableFuture<?> event, Supplier<CompletableFuture<R>> then);

  /** The same, but all that it does together, and waits for, takes no longer than that. */
  OperationRunner within(CallBudget budget);

  /** The time that is left; of one that has no end, a whole time limit from now on. */
  CallBudget budget();

  /** Whether it works on the caller's thread. */
  boolean blocks();
}
