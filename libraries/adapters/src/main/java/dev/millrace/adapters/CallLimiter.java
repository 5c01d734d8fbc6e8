package dev.millrace.adapters;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.RateLimiter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A decorator of suppliers, callables and stages: each run is charged first, settled when it
 * returns, and refunded when it throws. Immutable, so a prepared one can be shared.
 *
 * <pre>{@code
 * CallLimiter limited = CallLimiter.by(limiter, request).waiting(Duration.ofSeconds(2));
 * Supplier<Answer> ask = limited.supplier(() -> model.ask("why?"));
 * }</pre>
 *
 * <p>A refusal is thrown as {@link dev.millrace.RateLimitExceededException}, or fails the stage
 * with it.
 */
public final class CallLimiter {
  private final RateLimiter limiter;
  private final Supplier<AcquireRequest> request;
  private final @Nullable Duration maxWait;

  private CallLimiter(
      RateLimiter limiter, Supplier<AcquireRequest> request, @Nullable Duration maxWait) {
    this.limiter = limiter;
    this.request = request;
    this.maxWait = maxWait;
  }

  /** Every run is charged with {@code request}. */
  public static CallLimiter by(RateLimiter limiter, AcquireRequest request) {
    return by(limiter, () -> request);
  }

  /** Each run is charged with the request that {@code request} returns. */
  public static CallLimiter by(RateLimiter limiter, Supplier<AcquireRequest> request) {
    return new CallLimiter(limiter, request, null);
  }

  /** The same, waiting up to {@code longest} for tokens; null does not wait. */
  public CallLimiter waiting(@Nullable Duration longest) {
    return new CallLimiter(limiter, request, longest);
  }

  /** {@code work} that is charged each time. */
  public <T extends @Nullable Object> Supplier<T> supplier(Supplier<T> work) {
    return supplier(work, CostSettler.asCharged());
  }

  /** The same, settled with the result. */
  public <T extends @Nullable Object> Supplier<T> supplier(
      Supplier<T> work, CostSettler<? super T> settling) {
    return () -> call(lease -> work.get(), settling);
  }

  /** {@code work} that is charged each time. */
  public <T extends @Nullable Object> Callable<T> callable(Callable<T> work) {
    return callable(work, CostSettler.asCharged());
  }

  /** The same, settled with the result. */
  public <T extends @Nullable Object> Callable<T> callable(
      Callable<T> work, CostSettler<? super T> settling) {
    return () -> call(lease -> work.call(), settling);
  }

  /** {@code work} that is charged each time before it begins, without blocking. */
  public <T extends @Nullable Object> Supplier<CompletionStage<T>> stage(
      Supplier<? extends CompletionStage<T>> work) {
    return stage(work, CostSettler.asCharged());
  }

  /** The same, settled with the result of its stage. */
  public <T extends @Nullable Object> Supplier<CompletionStage<T>> stage(
      Supplier<? extends CompletionStage<T>> work, CostSettler<? super T> settling) {
    return () -> callAsync(work, settling);
  }

  /**
   * Charges, runs {@code work} and settles; when it throws, refunds everything and rethrows.
   *
   * @throws CancellationException if the thread is interrupted while it waits; it stays interrupted
   */
  public <T extends @Nullable Object, X extends Exception> T call(
      RateLimiter.Body<T, X> work, CostSettler<? super T> settling) throws X {
    Lease lease = acquire();
    T result;
    try {
      result = work.run(lease);
    } catch (Throwable failure) {
      try {
        lease.cancel();
      } catch (RuntimeException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
    settling.settleOrLog(lease, result);
    lease.close();
    return result;
  }

  private Lease acquire() {
    if (maxWait == null) {
      return limiter.acquire(request.get());
    }
    try {
      return limiter.acquire(request.get(), maxWait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      CancellationException cancelled = new CancellationException("interrupted while waiting");
      cancelled.initCause(e);
      throw cancelled;
    }
  }

  /** {@link #call} without blocking; {@code work} begins after the charge. */
  public <T extends @Nullable Object> CompletableFuture<T> callAsync(
      Supplier<? extends CompletionStage<T>> work, CostSettler<? super T> settling) {
    AcquireRequest acquireRequest = request.get();
    CompletionStage<Lease> acquired =
        maxWait == null
            ? limiter.acquireAsync(acquireRequest)
            : limiter.acquireAsync(acquireRequest, maxWait);
    return acquired.thenCompose(lease -> run(lease, work, settling)).toCompletableFuture();
  }

  private static <T extends @Nullable Object> CompletionStage<T> run(
      Lease lease, Supplier<? extends CompletionStage<T>> work, CostSettler<? super T> settling) {
    CompletionStage<T> running;
    try {
      running = work.get();
    } catch (RuntimeException e) {
      running = CompletableFuture.failedFuture(e);
    }
    return running
        .handle(
            (result, failure) -> {
              if (failure != null) {
                return CallLimiter.<T>refunded(lease, failure);
              }
              settling.settleOrLog(lease, result);
              return lease.closeAsync().thenApply(done -> result);
            })
        .thenCompose(Function.identity());
  }

  private static <T extends @Nullable Object> CompletionStage<T> refunded(
      Lease lease, Throwable failure) {
    return lease
        .cancelAsync()
        .handle(
            (done, further) -> {
              if (further != null) {
                failure.addSuppressed(further);
              }
              return CompletableFuture.<T>failedFuture(failure);
            })
        .thenCompose(Function.identity());
  }
}
