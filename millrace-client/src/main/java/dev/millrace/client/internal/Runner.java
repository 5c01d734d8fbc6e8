package dev.millrace.client.internal;

import dev.millrace.core.plan.Demand;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.Step;
import java.util.concurrent.CompletableFuture;

/**
 * Carries out conversations with a store, in one of two ways: on the caller's thread, so that every
 * future it returns is complete, or on the store's.
 */
interface Runner {
  /** Brings a demand into a bucket, together with those of others. */
  CompletableFuture<Outcome> commit(Bucket bucket, Demand demand);

  /** Brings a demand into a bucket for which nobody waits. */
  void commitDetached(Bucket bucket, Demand demand);

  /** Carries out one conversation. */
  <R> CompletableFuture<R> run(Step<R> step);

  /** Whether it works on the caller's thread. */
  boolean blocks();
}
