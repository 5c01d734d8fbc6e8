package dev.millrace.tests.support;

import dev.millrace.client.AsyncAcquisition;
import dev.millrace.client.AsyncRateLimiter;
import dev.millrace.client.Availability;
import dev.millrace.client.CloseReport;
import dev.millrace.client.ConfigCacheStats;
import dev.millrace.client.LimiterMetrics;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.request.AcquireRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A caller that does not wait. */
public final class AsyncCaller implements Caller {
  /** Many tests close it while the store is away. */
  private static final Duration CLOSE_WITHIN = Duration.ofMillis(500);

  private final AsyncRateLimiter limiter;

  AsyncCaller(AsyncRateLimiter limiter) {
    this.limiter = limiter;
  }

  @Override
  public Held acquire(AcquireRequest request) {
    return Held.of(Await.result(limiter.acquire(request)));
  }

  @Override
  public Answer tryAcquire(AcquireRequest request) {
    return answer(limiter.tryAcquire(request));
  }

  @Override
  public Answer tryAcquire(AcquireRequest request, Duration maxWait) {
    return answer(limiter.tryAcquire(request, maxWait));
  }

  private static Answer answer(CompletionStage<AsyncAcquisition> stage) {
    AsyncAcquisition acquisition = Await.result(stage);
    if (acquisition instanceof AsyncAcquisition.Granted granted) {
      return Answer.granted(Held.of(granted.lease()));
    }
    return acquisition instanceof AsyncAcquisition.Disabled off
        ? Answer.disabled(off.disabled())
        : Answer.refused(((AsyncAcquisition.Refused) acquisition).rejection());
  }

  @Override
  public <T> T call(AcquireRequest request, Work<T> work) {
    return Await.result(
        limiter.call(
            request,
            lease -> {
              try {
                return CompletableFuture.completedFuture(work.run(Held.of(lease)));
              } catch (Exception | Error e) {
                return CompletableFuture.failedFuture(e);
              }
            }));
  }

  @Override
  public Availability available(String entityId, String resource, Limit... limits) {
    return Await.result(limiter.available(entityId, resource, limits));
  }

  @Override
  public Optional<Duration> timeUntilAvailable(AcquireRequest request) {
    return Await.result(limiter.timeUntilAvailable(request));
  }

  @Override
  public LimiterMetrics.Snapshot metrics() {
    return limiter.metrics();
  }

  @Override
  public void invalidate() {
    limiter.invalidate();
  }

  @Override
  public ConfigCacheStats configCache() {
    return limiter.configCache();
  }

  @Override
  public CompletableFuture<Held> begin(AcquireRequest request) {
    return limiter.acquire(request).thenApply(Held::of).toCompletableFuture();
  }

  @Override
  public CompletableFuture<Held> begin(AcquireRequest request, Duration maxWait) {
    return limiter.acquire(request, maxWait).thenApply(Held::of).toCompletableFuture();
  }

  @Override
  public void close() {
    CloseReport unused = limiter.close(CLOSE_WITHIN);
  }
}
