package dev.millrace.llm.meter;

import dev.millrace.client.AsyncLease;
import dev.millrace.client.Lease;
import dev.millrace.client.LeaseView;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A common interface of blocking and asynchronous leases. A blocking one makes its round trip on
 * the calling thread and returns a completed stage, so that the meter exists once.
 */
interface MeterLease {
  LeaseView view();

  CompletionStage<Void> consume(Map<String, Long> tokens);

  CompletionStage<Void> close();

  CompletionStage<Void> cancel();

  static MeterLease of(Lease lease) {
    return new Blocking(lease);
  }

  static MeterLease of(AsyncLease lease) {
    return new Asynchronous(lease);
  }

  /** The lease of a blocking limiter. */
  record Blocking(Lease lease) implements MeterLease {
    @Override
    public LeaseView view() {
      return lease;
    }

    @Override
    public CompletionStage<Void> consume(Map<String, Long> tokens) {
      return done(() -> lease.consume(tokens));
    }

    @Override
    public CompletionStage<Void> close() {
      return done(lease::close);
    }

    @Override
    public CompletionStage<Void> cancel() {
      return done(lease::cancel);
    }

    private static CompletionStage<Void> done(Runnable action) {
      try {
        action.run();
        return CompletableFuture.completedFuture(null);
      } catch (RuntimeException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
  }

  /** The lease of an asynchronous limiter. */
  record Asynchronous(AsyncLease lease) implements MeterLease {
    @Override
    public LeaseView view() {
      return lease;
    }

    @Override
    public CompletionStage<Void> consume(Map<String, Long> tokens) {
      return lease.consume(tokens);
    }

    @Override
    public CompletionStage<Void> close() {
      return lease.close();
    }

    @Override
    public CompletionStage<Void> cancel() {
      return lease.cancel();
    }
  }
}
