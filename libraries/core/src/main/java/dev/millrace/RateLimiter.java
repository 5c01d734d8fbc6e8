package dev.millrace;

import dev.millrace.core.spi.LimiterProvider;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Decides whether a request may go ahead, and charges it.
 *
 * <p>{@code acquire} throws when refused, {@code tryAcquire} answers, {@code call} does everything
 * around a piece of work. All of them charge before they return.
 *
 * <p>Calls with a {@code maxWait} wait their turn: within one process they are served first come,
 * first served per bucket, and only the first of them asks. Calls without one never wait, so they
 * may be served from what is there while a larger request waits for more.
 *
 * <p>A method with {@code Async} in its name answers with a stage and never waits: what the other
 * throws fails the stage, except misuse, which is thrown at once. Cancelling the future of an
 * {@code acquireAsync} gives back what it took. All of them share everything, so a program may use
 * both. With a store that only blocks they throw an {@link IllegalStateException}. With a store
 * that is only asynchronous the others wait for its answer. Do not call a method that waits in a
 * callback of an {@code Async} method: the thread that runs the callback is the one that would
 * bring the answer, or ring the timer that ends the wait.
 */
public interface RateLimiter extends AutoCloseable {
  /** How long {@link #close()} may take. */
  Duration CLOSE_WITHIN = Duration.ofSeconds(5);

  /**
   * A limiter on {@code store}; one that is an {@link AsyncStore} too has the {@code Async} methods
   * as well. Makes no call; the first one is made by the first request.
   */
  static RateLimiter create(BlockingStore store, LimiterOptions options) {
    return LimiterProvider.installed().create(store, options);
  }

  /** A limiter that uses {@code store} without blocking, whatever else the store is. */
  static RateLimiter createAsync(AsyncStore store, LimiterOptions options) {
    return LimiterProvider.installed().createAsync(store, options);
  }

  /** Whether the {@code Async} methods can be used: the store is not one that only blocks. */
  boolean isAsync();

  /**
   * Charges {@code request} or throws.
   *
   * @throws dev.millrace.RateLimitExceededException if a limit refuses
   * @throws dev.millrace.LimiterDisabledException if something that it draws on is switched off
   * @throws dev.millrace.LimiterUnavailableException if the store cannot be reached and the policy
   *     is BLOCK
   */
  Lease acquire(AcquireRequest request);

  /** Like {@link #acquire(AcquireRequest)}, waiting up to {@code maxWait} for tokens to return. */
  Lease acquire(AcquireRequest request, Duration maxWait) throws InterruptedException;

  /** {@link #acquire(AcquireRequest)} without blocking. */
  CompletionStage<Lease> acquireAsync(AcquireRequest request);

  /** {@link #acquire(AcquireRequest, Duration)} without blocking. */
  CompletionStage<Lease> acquireAsync(AcquireRequest request, Duration maxWait);

  /** Charges {@code request} or says why not. */
  Acquisition tryAcquire(AcquireRequest request);

  /** Like {@link #tryAcquire(AcquireRequest)}, waiting up to {@code maxWait}. */
  Acquisition tryAcquire(AcquireRequest request, Duration maxWait) throws InterruptedException;

  /** {@link #tryAcquire(AcquireRequest)} without blocking. */
  CompletionStage<Acquisition> tryAcquireAsync(AcquireRequest request);

  /** {@link #tryAcquire(AcquireRequest, Duration)} without blocking. */
  CompletionStage<Acquisition> tryAcquireAsync(AcquireRequest request, Duration maxWait);

  /**
   * Charges {@code request}, runs {@code body}, and settles; when the body throws anything, gives
   * everything back and throws it on.
   */
  <T, X extends Exception> T call(AcquireRequest request, Body<T, X> body) throws X;

  /**
   * {@link #call} without blocking: settles when the body's stage succeeds, else gives back.
   * Completing the returned future, by {@code cancel} or {@code orTimeout}, cancels the body's
   * stage and gives back; a stage that cannot be cancelled settles when it ends.
   */
  <T> CompletionStage<T> callAsync(
      AcquireRequest request, Function<Lease, CompletionStage<T>> body);

  /**
   * What an entity can use of a resource now: its own limits and those of every ancestor that it
   * draws on. Without {@code limits} the stored ones. Reads the store; changes nothing.
   */
  Availability available(String entityId, String resource, Limit... limits);

  /** {@link #available} without blocking. */
  CompletionStage<Availability> availableAsync(String entityId, String resource, Limit... limits);

  /**
   * How long until {@code request} would pass if nobody else came; zero when it passes now, empty
   * when it is larger than the limit can ever hold. Reads the store; changes nothing.
   */
  Optional<Duration> timeUntilAvailable(AcquireRequest request);

  /** {@link #timeUntilAvailable} without blocking. */
  CompletionStage<Optional<Duration>> timeUntilAvailableAsync(AcquireRequest request);

  /**
   * Forgets all stored configuration: the next requests look it up. Changes made through the
   * administration reach existing buckets at once without this.
   */
  void invalidate();

  /**
   * Forgets what it has seen of every bucket: the next request of each reads it. For when the table
   * was restored from a backup; what is under way goes on.
   */
  void forgetBuckets();

  /** What the cache of stored configuration did so far. */
  ConfigCacheStats configCache();

  /** What the limiter did so far. */
  LimiterMetrics metrics();

  /**
   * Accepts no further requests, and writes down everything that waits: deferred settlements, those
   * whose write has failed, and tokens that were taken ahead, which are given back. Several writes
   * at a time; what fails is tried again. Returns when all of it is written, at the latest after
   * {@code within}; what is not written by then is given up, reported, told to listeners and
   * logged. Leases that are open may still be ended.
   */
  CloseReport close(Duration within);

  /** {@link #close(Duration)} without blocking; completes when everything is written. */
  CompletionStage<CloseReport> closeAsync(Duration within);

  /** {@link #closeAsync(Duration)} within {@link #CLOSE_WITHIN}. */
  default CompletionStage<CloseReport> closeAsync() {
    return closeAsync(CLOSE_WITHIN);
  }

  /** {@link #close(Duration)} within {@link #CLOSE_WITHIN}. */
  @Override
  default void close() {
    CloseReport unused = close(CLOSE_WITHIN); // what is left is told to listeners, and logged
  }

  /** A piece of work that holds a lease. */
  @FunctionalInterface
  interface Body<T, X extends Exception> {
    /** Does the work. */
    T run(Lease lease) throws X;
  }
}
