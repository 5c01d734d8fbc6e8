package dev.millrace.tests.support;

import dev.millrace.client.Availability;
import dev.millrace.client.ConfigCacheStats;
import dev.millrace.client.LimiterMetrics;
import dev.millrace.client.RateLimiter;
import dev.millrace.core.decision.Disabled;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.request.AcquireRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A limiter as its caller sees it, whether the caller waits or not. */
public interface Caller extends AutoCloseable {
  /** What {@code tryAcquire} answered: one of the three is there. */
  record Answer(Optional<Held> lease, Optional<Rejection> rejection, Optional<Disabled> disabled) {
    static Answer granted(Held lease) {
      return new Answer(Optional.of(lease), Optional.empty(), Optional.empty());
    }

    static Answer refused(Rejection rejection) {
      return new Answer(Optional.empty(), Optional.of(rejection), Optional.empty());
    }

    static Answer disabled(Disabled disabled) {
      return new Answer(Optional.empty(), Optional.empty(), Optional.of(disabled));
    }

    public boolean isGranted() {
      return lease.isPresent();
    }

    public boolean isDisabled() {
      return disabled.isPresent();
    }
  }

  /** What {@code call} runs. */
  @FunctionalInterface
  interface Work<T> {
    T run(Held lease) throws Exception;
  }

  /** One who waits. */
  static Caller of(RateLimiter limiter) {
    return new BlockingCaller(limiter);
  }

  Held acquire(AcquireRequest request);

  Answer tryAcquire(AcquireRequest request);

  Answer tryAcquire(AcquireRequest request, Duration maxWait);

  <T> T call(AcquireRequest request, Work<T> work);

  Availability available(String entityId, String resource, Limit... limits);

  Optional<Duration> timeUntilAvailable(AcquireRequest request);

  LimiterMetrics.Snapshot metrics();

  void invalidate();

  ConfigCacheStats configCache();

  /** Acquires in the background; when this returns, the call is done or waits for something. */
  CompletableFuture<Held> begin(AcquireRequest request);

  /** Acquires in the background; when this returns, the call is done or waits for something. */
  CompletableFuture<Held> begin(AcquireRequest request, Duration maxWait);

  @Override
  void close();
}
