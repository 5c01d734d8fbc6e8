package dev.millrace.client.internal;

import dev.millrace.client.AsyncAcquisition;
import dev.millrace.client.AsyncLease;
import dev.millrace.client.AsyncRateLimiter;
import dev.millrace.client.Availability;
import dev.millrace.client.CloseReport;
import dev.millrace.client.ConfigCacheStats;
import dev.millrace.client.LimiterMetrics;
import dev.millrace.client.LimiterOptions;
import dev.millrace.client.internal.resolve.Resolution;
import dev.millrace.client.internal.store.AsyncDriver;
import dev.millrace.client.internal.store.Throwables;
import dev.millrace.client.internal.write.AsyncRunner;
import dev.millrace.core.error.LimiterDisabledException;
import dev.millrace.core.error.RateLimitExceededException;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.store.AsyncStore;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The limiter whose callers do not wait. */
public final class AsyncLimiter implements AsyncRateLimiter {
  private final LimiterParts parts;
  private final AsyncRunner runner;
  private final AsyncWait wait;

  private AsyncLimiter(LimiterParts parts, AsyncStore store) {
    this.parts = parts;
    AsyncDriver driver = new AsyncDriver(parts.monitor, store);
    parts.monitor.probeBy(driver::send);
    this.runner =
        new AsyncRunner(parts.options, driver, parts.groupCommit, parts.relay, parts.pending);
    this.wait = new AsyncWait(parts.lines, parts.flow, runner);
    parts.relay.async(runner);
    parts.pending.writeBy(runner);
  }

  /** See {@link AsyncRateLimiter#create}. */
  public static AsyncRateLimiter create(AsyncStore store, LimiterOptions options) {
    return new AsyncLimiter(new LimiterParts(options), store);
  }

  static AsyncRateLimiter sharing(LimiterParts parts, AsyncStore store) {
    return new AsyncLimiter(parts, store);
  }

  @Override
  public CompletionStage<AsyncLease> acquire(AcquireRequest request) {
    return now(request, AsyncLimiter::leaseOrThrow);
  }

  @Override
  public CompletionStage<AsyncLease> acquire(AcquireRequest request, Duration maxWait) {
    return waiting(request, maxWait, AsyncLimiter::leaseOrThrow);
  }

  @Override
  public CompletionStage<AsyncAcquisition> tryAcquire(AcquireRequest request) {
    return now(request, Function.identity());
  }

  @Override
  public CompletionStage<AsyncAcquisition> tryAcquire(AcquireRequest request, Duration maxWait) {
    return waiting(request, maxWait, Function.identity());
  }

  private <T> CompletableFuture<T> now(
      AcquireRequest request, Function<AsyncAcquisition, T> dress) {
    parts.check(request);
    CompletableFuture<T> handed = new CompletableFuture<>();
    handOver(request, parts.flow.acquire(runner, request), dress, handed);
    return handed;
  }

  private <T> CompletableFuture<T> waiting(
      AcquireRequest request, Duration maxWait, Function<AsyncAcquisition, T> dress) {
    parts.check(request);
    CompletableFuture<T> handed = new CompletableFuture<>();
    long maxWaitMs = WaitLines.requireMaxWaitMs(maxWait);
    CompletableFuture<Decision> decided =
        parts
            .resolver
            .prepare(runner, request)
            .thenCompose(
                preparation ->
                    preparation instanceof Resolution.Ready ready
                        ? wait.acquire(ready.prepared(), maxWaitMs, handed)
                        : CompletableFuture.completedFuture(
                            parts.flow.unresolved(request, (Resolution.Unavailable) preparation)));
    handOver(request, decided, dress, handed);
    return handed;
  }

  private AsyncAcquisition answer(AcquireRequest request, Decision decision) {
    if (decision instanceof Decision.Granted granted) {
      return new AsyncAcquisition.Granted(new DefaultAsyncLease(parts, runner, granted.ledger()));
    }
    parts.flow.tellRefused(runner, decision, request);
    if (decision instanceof Decision.Refused refused) {
      return new AsyncAcquisition.Refused(refused.rejection());
    }
    if (decision instanceof Decision.Off off) {
      return new AsyncAcquisition.Disabled(off.disabled());
    }
    throw ((Decision.Failed) decision).exception();
  }

  private static AsyncLease leaseOrThrow(AsyncAcquisition acquisition) {
    if (acquisition instanceof AsyncAcquisition.Granted granted) {
      return granted.lease();
    }
    if (acquisition instanceof AsyncAcquisition.Disabled off) {
      throw new LimiterDisabledException(off.disabled());
    }
    throw new RateLimitExceededException(((AsyncAcquisition.Refused) acquisition).rejection());
  }

  /**
   * Puts the answer into the caller's hands. When the caller cancelled before it was in, nobody
   * holds the lease, so it is given back.
   */
  private <T> void handOver(
      AcquireRequest request,
      CompletableFuture<Decision> decided,
      Function<AsyncAcquisition, T> dress,
      CompletableFuture<T> handed) {
    CompletableFuture<AsyncAcquisition> unused =
        decided
            .thenApply(decision -> answer(request, decision))
            .whenComplete(
                (answer, failure) -> {
                  if (failure != null) {
                    handed.completeExceptionally(Throwables.unwrapped(failure));
                    return;
                  }
                  boolean taken;
                  try {
                    taken = handed.complete(dress.apply(answer));
                  } catch (RateLimitExceededException | LimiterDisabledException e) {
                    taken = handed.completeExceptionally(e);
                  }
                  if (!taken && answer instanceof AsyncAcquisition.Granted granted) {
                    granted.lease().cancel(); // its failure is told to the listeners
                  }
                });
  }

  @Override
  public <T> CompletionStage<T> call(
      AcquireRequest request, Function<AsyncLease, CompletionStage<T>> body) {
    CompletableFuture<AsyncLease> acquired = now(request, AsyncLimiter::leaseOrThrow);
    CompletableFuture<T> result = new CompletableFuture<>();
    CompletableFuture<T> unusedCancel =
        result.whenComplete((value, failure) -> acquired.cancel(false)); // unless it is answered
    CompletableFuture<AsyncLease> unused =
        acquired.whenComplete(
            (lease, failure) -> {
              if (failure != null) {
                result.completeExceptionally(Throwables.unwrapped(failure));
              } else if (result.isDone()) {
                lease.cancel(); // its failure is told to the listeners
              } else {
                runInto(result, lease, body);
              }
            });
    return result;
  }

  /**
   * Runs the body and completes {@code result} with its end. When the caller completes the result
   * before, as {@code cancel} or {@code orTimeout} do, the body's stage is cancelled, and a stage
   * that fails gives the charge back.
   */
  private static <T> void runInto(
      CompletableFuture<T> result,
      AsyncLease lease,
      Function<AsyncLease, CompletionStage<T>> body) {
    CompletionStage<T> work;
    try {
      work = Objects.requireNonNull(body.apply(lease), "the body gave no stage");
    } catch (Throwable thrown) { // an Error must not keep the charge either
      work = CompletableFuture.failedFuture(thrown);
    }
    CompletionStage<T> running = work;
    CompletableFuture<T> unusedCancel =
        result.whenComplete(
            (value, failure) -> {
              if (failure != null) {
                cancel(running);
              }
            });
    CompletionStage<T> unused =
        settledAfter(lease, work)
            .whenComplete(
                (value, failure) -> {
                  if (failure == null) {
                    result.complete(value);
                  } else {
                    result.completeExceptionally(Throwables.unwrapped(failure));
                  }
                });
  }

  private static void cancel(CompletionStage<?> stage) {
    try {
      stage.toCompletableFuture().cancel(false);
    } catch (UnsupportedOperationException e) {
      // The stage cannot be cancelled: the lease ends when it does.
    }
  }

  private static <T> CompletionStage<T> settledAfter(AsyncLease lease, CompletionStage<T> work) {
    return work.handle(
            (result, failure) ->
                failure == null
                    ? lease.close().thenApply(ignored -> result)
                    : lease
                        .cancel()
                        .handle(
                            (ignored, refundFailure) -> {
                              Throwable cause = Throwables.unwrapped(failure);
                              if (refundFailure != null) {
                                cause.addSuppressed(Throwables.unwrapped(refundFailure));
                              }
                              return cause;
                            })
                        .thenCompose(CompletableFuture::<T>failedFuture))
        .thenCompose(Function.identity());
  }

  @Override
  public CompletionStage<Availability> available(
      String entityId, String resource, Limit... limits) {
    return parts.available(runner, entityId, resource, limits);
  }

  @Override
  public CompletionStage<Optional<Duration>> timeUntilAvailable(AcquireRequest request) {
    return parts.timeUntilAvailable(runner, request);
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
  public CompletionStage<CloseReport> closeAsync(Duration within) {
    return parts.close(within);
  }

  @Override
  public CloseReport close(Duration within) {
    return parts.closeAndWait(within);
  }
}
