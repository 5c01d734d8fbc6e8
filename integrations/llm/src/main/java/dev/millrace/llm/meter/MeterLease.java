package dev.millrace.llm.meter;

import dev.millrace.Lease;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A lease whose writes are stages. With {@code async} they are written without blocking, otherwise
 * by the calling thread, and the stages are complete.
 */
record MeterLease(Lease lease, boolean async) {
  CompletionStage<Void> consume(Map<String, Long> tokens) {
    return async ? lease.consumeAsync(tokens) : done(() -> lease.consume(tokens));
  }

  CompletionStage<Void> close() {
    return async ? lease.closeAsync() : done(lease::close);
  }

  CompletionStage<Void> cancel() {
    return async ? lease.cancelAsync() : done(lease::cancel);
  }

  private static CompletionStage<Void> done(Runnable write) {
    try {
      write.run();
      return CompletableFuture.completedFuture(null);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
