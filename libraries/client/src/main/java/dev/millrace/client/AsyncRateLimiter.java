package dev.millrace.client;

import dev.millrace.client.internal.AsyncLimiter;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.store.AsyncStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * {@link RateLimiter}, without blocking. What is thrown there fails the stage here, except misuse,
 * which is thrown at once. Cancelling the future of an {@code acquire} gives back what it took.
 */
public interface AsyncRateLimiter extends AutoCloseable {
  /** A limiter on {@code store}. Makes no call; the first one is made by the first request. */
  static AsyncRateLimiter create(AsyncStore store, LimiterOptions options) {
    return AsyncLimiter.create(store, options);
  }

  /** See {@link RateLimiter#acquire(AcquireRequest)}. */
  CompletionStage<AsyncLease> acquire(AcquireRequest request);

  /** See {@link RateLimiter#acquire(AcquireRequest, Duration)}. */
  CompletionStage<AsyncLease> acquire(AcquireRequest request, Duration maxWait);

  /** See {@link RateLimiter#tryAcquire(AcquireRequest)}. */
  CompletionStage<AsyncAcquisition> tryAcquire(AcquireRequest request);

  /** See {@link RateLimiter#tryAcquire(AcquireRequest, Duration)}. */
  CompletionStage<AsyncAcquisition> tryAcquire(AcquireRequest request, Duration maxWait);

  /**
   * See {@link RateLimiter#call}: settles when the body's stage succeeds, else gives back.
   * Completing the returned future, by {@code cancel} or {@code orTimeout}, cancels the body's
   * stage and gives back; a stage that cannot be cancelled settles when it ends.
   */
  <T> CompletionStage<T> call(
      AcquireRequest request, Function<AsyncLease, CompletionStage<T>> body);

  /** See {@link RateLimiter#available}. */
  CompletionStage<Availability> available(String entityId, String resource, Limit... limits);

  /** See {@link RateLimiter#timeUntilAvailable}. */
  CompletionStage<Optional<Duration>> timeUntilAvailable(AcquireRequest request);

  /**
   * Forgets all stored configuration: the next requests look it up. Changes made through the
   * administration reach existing buckets at once without this.
   */
  void invalidate();

  /** See {@link RateLimiter#forgetBuckets}. */
  void forgetBuckets();

  /** What the cache of stored configuration did so far. */
  ConfigCacheStats configCache();

  /** What the limiter did so far. */
  LimiterMetrics.Snapshot metrics();

  /** See {@link RateLimiter#close(Duration)}; the stage completes when everything is written. */
  CompletionStage<CloseReport> closeAsync(Duration within);

  /** {@link #closeAsync(Duration)} within {@link RateLimiter#CLOSE_WITHIN}. */
  default CompletionStage<CloseReport> closeAsync() {
    return closeAsync(RateLimiter.CLOSE_WITHIN);
  }

  /** {@link #closeAsync(Duration)}, waiting until it is done: not for a thread of the store. */
  CloseReport close(Duration within);

  /** {@link #close(Duration)} within {@link RateLimiter#CLOSE_WITHIN}. */
  @Override
  default void close() {
    CloseReport unused = close(RateLimiter.CLOSE_WITHIN); // what is left is told, and logged
  }
}
