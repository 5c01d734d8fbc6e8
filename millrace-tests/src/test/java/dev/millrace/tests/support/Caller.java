package dev.millrace.tests.support;

import dev.millrace.client.Availability;
import dev.millrace.client.LimiterMetrics;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.request.AcquireRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A limiter as its caller sees it, whether the caller waits or not. */
public interface Caller extends AutoCloseable {
  /** What {@code tryAcquire} answered. */
  record Answer(Optional<Held> lease, Optional<Rejection> rejection) {
    public boolean isGranted() {
      return lease.isPresent();
    }
  }

  /** What {@code call} runs. */
  @FunctionalInterface
  interface Work<T> {
    T run(Held lease) throws Exception;
  }

  Held acquire(AcquireRequest request);

  Answer tryAcquire(AcquireRequest request);

  Answer tryAcquire(AcquireRequest request, Duration maxWait);

  <T> T call(AcquireRequest request, Work<T> work);

  Availability available(String entityId, String resource, Limit... limits);

  Optional<Duration> timeUntilAvailable(AcquireRequest request);

  LimiterMetrics.Snapshot metrics();

  /** Acquires in the background; when this returns, the call is done or waits for something. */
  CompletableFuture<Held> begin(AcquireRequest request);

  /** Acquires in the background; when this returns, the call is done or waits for something. */
  CompletableFuture<Held> begin(AcquireRequest request, Duration maxWait);

  @Override
  void close();
}
