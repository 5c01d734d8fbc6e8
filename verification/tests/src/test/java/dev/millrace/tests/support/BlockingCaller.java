package dev.millrace.tests.support;

import dev.millrace.client.Acquisition;
import dev.millrace.client.Availability;
import dev.millrace.client.CloseReport;
import dev.millrace.client.ConfigCacheStats;
import dev.millrace.client.LimiterMetrics;
import dev.millrace.client.RateLimiter;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.request.AcquireRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A caller that waits, each call in the background on a thread of its own. */
public final class BlockingCaller implements Caller {
  /** Many tests close it while the store is away. */
  private static final Duration CLOSE_WITHIN = Duration.ofMillis(500);

  private final RateLimiter limiter;

  BlockingCaller(RateLimiter limiter) {
    this.limiter = limiter;
  }

  @Override
  public Held acquire(AcquireRequest request) {
    return Held.of(limiter.acquire(request));
  }

  @Override
  public Answer tryAcquire(AcquireRequest request) {
    return answer(limiter.tryAcquire(request));
  }

  @Override
  public Answer tryAcquire(AcquireRequest request, Duration maxWait) {
    try {
      return answer(limiter.tryAcquire(request, maxWait));
    } catch (InterruptedException e) {
      throw new AssertionError("the test was interrupted", e);
    }
  }

  private static Answer answer(Acquisition acquisition) {
    if (acquisition instanceof Acquisition.Granted granted) {
      return Answer.granted(Held.of(granted.lease()));
    }
    return acquisition instanceof Acquisition.Disabled off
        ? Answer.disabled(off.disabled())
        : Answer.refused(((Acquisition.Refused) acquisition).rejection());
  }

  @Override
  public <T> T call(AcquireRequest request, Work<T> work) {
    try {
      return limiter.call(request, lease -> work.run(Held.of(lease)));
    } catch (Exception e) {
      throw Await.rethrown(e);
    }
  }

  @Override
  public Availability available(String entityId, String resource, Limit... limits) {
    return limiter.available(entityId, resource, limits);
  }

  @Override
  public Optional<Duration> timeUntilAvailable(AcquireRequest request) {
    return limiter.timeUntilAvailable(request);
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
    return Background.begin(() -> acquire(request)).result();
  }

  @Override
  public CompletableFuture<Held> begin(AcquireRequest request, Duration maxWait) {
    return Background.begin(() -> Held.of(limiter.acquire(request, maxWait))).result();
  }

  @Override
  public void close() {
    CloseReport unused = limiter.close(CLOSE_WITHIN);
  }
}
