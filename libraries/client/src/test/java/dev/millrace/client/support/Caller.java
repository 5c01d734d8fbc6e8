package dev.millrace.client.support;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Availability;
import dev.millrace.CloseReport;
import dev.millrace.ConfigCacheStats;
import dev.millrace.DisabledBucket;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterMetrics;
import dev.millrace.RateLimiter;
import dev.millrace.Rejection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * A limiter as its caller sees it. With {@code async} the caller uses the methods that do not wait,
 * and the store is asked without blocking; otherwise it waits, in the background on a thread of its
 * own.
 */
public final class Caller implements AutoCloseable {
  /** Many tests close it while the store is away. */
  private static final Duration CLOSE_WITHIN = Duration.ofMillis(500);

  /** What {@code tryAcquire} answered: one of the three is there. */
  public record Answer(
      Optional<Lease> lease, Optional<Rejection> rejection, Optional<DisabledBucket> disabled) {
    static Answer of(Acquisition acquisition) {
      return new Answer(
          acquisition instanceof Acquisition.Granted granted
              ? Optional.of(granted.lease())
              : Optional.empty(),
          acquisition instanceof Acquisition.Refused refused
              ? Optional.of(refused.rejection())
              : Optional.empty(),
          acquisition instanceof Acquisition.Disabled off
              ? Optional.of(off.disabled())
              : Optional.empty());
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
  public interface Work<T> {
    T run(Lease lease) throws Exception;
  }

  private final RateLimiter limiter;
  private final boolean async;

  Caller(RateLimiter limiter, boolean async) {
    this.limiter = limiter;
    this.async = async;
  }

  /** One who waits. */
  public static Caller of(RateLimiter limiter) {
    return new Caller(limiter, /* async= */ false);
  }

  public Lease acquire(AcquireRequest request) {
    return async ? Await.result(limiter.acquireAsync(request)) : limiter.acquire(request);
  }

  public Answer tryAcquire(AcquireRequest request) {
    return Answer.of(
        async ? Await.result(limiter.tryAcquireAsync(request)) : limiter.tryAcquire(request));
  }

  public Answer tryAcquire(AcquireRequest request, Duration maxWait) {
    return Answer.of(
        async
            ? Await.result(limiter.tryAcquireAsync(request, maxWait))
            : uninterrupted(() -> limiter.tryAcquire(request, maxWait)));
  }

  public <T> T call(AcquireRequest request, Work<T> work) {
    return async
        ? Await.result(
            limiter.callAsync(
                request,
                lease -> {
                  try {
                    return CompletableFuture.completedFuture(work.run(lease));
                  } catch (Exception | Error e) {
                    return CompletableFuture.failedFuture(e);
                  }
                }))
        : uninterrupted(() -> limiter.call(request, work::run));
  }

  public Availability available(String entityId, String resource, Limit... limits) {
    return async
        ? Await.result(limiter.availableAsync(entityId, resource, limits))
        : limiter.available(entityId, resource, limits);
  }

  public Optional<Duration> timeUntilAvailable(AcquireRequest request) {
    return async
        ? Await.result(limiter.timeUntilAvailableAsync(request))
        : limiter.timeUntilAvailable(request);
  }

  /** Acquires in the background; when this returns, the call is done or waits for something. */
  public CompletableFuture<Lease> begin(AcquireRequest request) {
    return async
        ? limiter.acquireAsync(request).toCompletableFuture()
        : Background.begin(() -> limiter.acquire(request)).result();
  }

  /** Acquires in the background; when this returns, the call is done or waits for something. */
  public CompletableFuture<Lease> begin(AcquireRequest request, Duration maxWait) {
    return async
        ? limiter.acquireAsync(request, maxWait).toCompletableFuture()
        : Background.begin(() -> limiter.acquire(request, maxWait)).result();
  }

  public LimiterMetrics metrics() {
    return limiter.metrics();
  }

  public void invalidate() {
    limiter.invalidate();
  }

  public ConfigCacheStats configCache() {
    return limiter.configCache();
  }

  @Override
  public void close() {
    CloseReport unused = limiter.close(CLOSE_WITHIN);
  }

  private static <T> T uninterrupted(Callable<T> ask) {
    try {
      return ask.call();
    } catch (Exception e) {
      throw Await.rethrown(e);
    }
  }
}
