package dev.millrace.client.internal;

import dev.millrace.client.Acquisition;
import dev.millrace.client.AsyncRateLimiter;
import dev.millrace.client.Availability;
import dev.millrace.client.CloseReport;
import dev.millrace.client.ConfigCacheStats;
import dev.millrace.client.Lease;
import dev.millrace.client.LimiterMetrics;
import dev.millrace.client.LimiterOptions;
import dev.millrace.client.RateLimiter;
import dev.millrace.client.internal.resolve.Resolution;
import dev.millrace.client.internal.store.BlockingDriver;
import dev.millrace.client.internal.store.Futures;
import dev.millrace.client.internal.write.BlockingRunner;
import dev.millrace.core.error.LimiterDisabledException;
import dev.millrace.core.error.RateLimitExceededException;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.store.AsyncStore;
import dev.millrace.core.store.BlockingStore;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The limiter whose callers wait. Its runner works on the caller's thread, so the futures that are
 * joined here are complete.
 */
public final class BlockingLimiter implements RateLimiter {
  private final LimiterParts parts;
  private final BlockingRunner runner;
  private final BlockingWait wait;
  private final @Nullable AsyncRateLimiter async;

  private BlockingLimiter(LimiterParts parts, BlockingStore store) {
    BlockingDriver driver =
        new BlockingDriver(parts.monitor, store, parts.helpers, parts.options.threads());
    parts.monitor.probeBy(driver::probe);
    this.parts = parts;
    this.runner =
        new BlockingRunner(parts.options, driver, parts.groupCommit, parts.relay, parts.pending);
    this.wait = new BlockingWait(parts.lines, parts.flow, runner, parts.options.threads());
    parts.relay.blocking(runner);
    parts.pending.writeBy(runner);
    this.async =
        store instanceof AsyncStore asyncStore ? AsyncLimiter.sharing(parts, asyncStore) : null;
  }

  /** See {@link RateLimiter#create}. */
  public static RateLimiter create(BlockingStore store, LimiterOptions options) {
    return new BlockingLimiter(new LimiterParts(options), store);
  }

  @Override
  public Lease acquire(AcquireRequest request) {
    return leaseOrThrow(tryAcquire(request));
  }

  @Override
  public Lease acquire(AcquireRequest request, Duration maxWait) throws InterruptedException {
    return leaseOrThrow(tryAcquire(request, maxWait));
  }

  private static Lease leaseOrThrow(Acquisition acquisition) {
    if (acquisition instanceof Acquisition.Granted granted) {
      return granted.lease();
    }
    if (acquisition instanceof Acquisition.Disabled off) {
      throw new LimiterDisabledException(off.disabled());
    }
    throw new RateLimitExceededException(((Acquisition.Refused) acquisition).rejection());
  }

  @Override
  public Acquisition tryAcquire(AcquireRequest request) {
    parts.check(request);
    return answer(request, Futures.get(parts.flow.acquire(runner, request)));
  }

  @Override
  public Acquisition tryAcquire(AcquireRequest request, Duration maxWait)
      throws InterruptedException {
    parts.check(request);
    long maxWaitMs = WaitLines.requireMaxWaitMs(maxWait);
    Resolution preparation = Futures.get(parts.resolver.prepare(runner, request));
    return answer(
        request,
        preparation instanceof Resolution.Ready ready
            ? wait.acquire(ready.prepared(), maxWaitMs)
            : parts.flow.unresolved(request, (Resolution.Unavailable) preparation));
  }

  private Acquisition answer(AcquireRequest request, Decision decision) {
    if (decision instanceof Decision.Granted granted) {
      return new Acquisition.Granted(new BlockingLease(parts, runner, granted.ledger()));
    }
    parts.flow.tellRefused(runner, decision, request);
    if (decision instanceof Decision.Refused refused) {
      return new Acquisition.Refused(refused.rejection());
    }
    if (decision instanceof Decision.Off off) {
      return new Acquisition.Disabled(off.disabled());
    }
    throw ((Decision.Failed) decision).exception();
  }

  @Override
  public <T, X extends Exception> T call(AcquireRequest request, Body<T, X> body) throws X {
    Lease lease = acquire(request);
    T result;
    try {
      result = body.run(lease);
    } catch (Throwable thrown) { // an Error or an interrupt must not keep the charge either
      try {
        lease.cancel();
      } catch (RuntimeException e) {
        thrown.addSuppressed(e);
      }
      throw thrown;
    }
    lease.close();
    return result;
  }

  @Override
  public Availability available(String entityId, String resource, Limit... limits) {
    return Futures.get(parts.available(runner, entityId, resource, limits));
  }

  @Override
  public Optional<Duration> timeUntilAvailable(AcquireRequest request) {
    return Futures.get(parts.timeUntilAvailable(runner, request));
  }

  @Override
  public AsyncRateLimiter async() {
    if (async == null) {
      throw new IllegalStateException(
          "this limiter's store only blocks: create it with a store that is an AsyncStore too");
    }
    return async;
  }

  @Override
  public void invalidate() {
    parts.resolver.invalidate();
  }

  @Override
  public void forgetBuckets() {
    parts.mirror.forget();
  }

  @Override
  public ConfigCacheStats configCache() {
    return parts.resolver.stats();
  }

  @Override
  public LimiterMetrics.Snapshot metrics() {
    return parts.metrics.snapshot();
  }

  @Override
  public CloseReport close(Duration within) {
    return parts.closeAndWait(within);
  }
}
