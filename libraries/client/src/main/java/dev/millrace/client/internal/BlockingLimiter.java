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
  private final LimiterCore core;
  private final BlockingRunner runner;
  private final BlockingWait wait;
  private final @Nullable AsyncRateLimiter async;

  private BlockingLimiter(LimiterCore core, BlockingStore store) {
    BlockingDriver driver = new BlockingDriver(core, store);
    core.health().probeBy(driver::probe);
    this.core = core;
    this.runner = new BlockingRunner(core, driver);
    this.wait = new BlockingWait(core, runner);
    core.relay().blocking(runner);
    core.pending().writeBy(runner);
    this.async =
        store instanceof AsyncStore asyncStore ? AsyncLimiter.sharing(core, asyncStore) : null;
  }

  /** See {@link RateLimiter#create}. */
  public static RateLimiter create(BlockingStore store, LimiterOptions options) {
    return new BlockingLimiter(new LimiterCore(options), store);
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
    core.check(request);
    return answer(request, Futures.get(core.acquire(runner, request)));
  }

  @Override
  public Acquisition tryAcquire(AcquireRequest request, Duration maxWait)
      throws InterruptedException {
    core.check(request);
    long maxWaitMs = WaitLines.requireMaxWaitMs(maxWait);
    Preparation preparation = Futures.get(core.prepare(runner, request));
    return answer(
        request,
        preparation instanceof Preparation.Ready ready
            ? wait.acquire(ready.prepared(), maxWaitMs)
            : core.unresolved(request, (Preparation.Unavailable) preparation));
  }

  private Acquisition answer(AcquireRequest request, Decision decision) {
    if (decision instanceof Decision.Granted granted) {
      return new Acquisition.Granted(new BlockingLease(core, runner, granted.ledger()));
    }
    core.tellRefused(runner, decision, request);
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
    return Futures.get(core.available(runner, entityId, resource, limits));
  }

  @Override
  public Optional<Duration> timeUntilAvailable(AcquireRequest request) {
    return Futures.get(core.timeUntilAvailable(runner, request));
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
    core.resolver().invalidate();
  }

  @Override
  public void forgetBuckets() {
    core.forgetBuckets();
  }

  @Override
  public ConfigCacheStats configCache() {
    return core.resolver().stats();
  }

  @Override
  public LimiterMetrics.Snapshot metrics() {
    return core.metrics();
  }

  @Override
  public CloseReport close(Duration within) {
    return core.closeAndWait(within);
  }
}
