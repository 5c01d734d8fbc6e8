package dev.millrace.adapters;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.LimiterDisabledException;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimitExceededException;
import dev.millrace.RateLimiter;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * An executor whose tasks are charged before they are handed on. The submitting thread waits for
 * tokens, up to a bound, so that a full bucket slows the submitter down instead of filling the
 * queue. A task that is still refused is a {@link RejectedExecutionException}, with the refusal as
 * its cause.
 *
 * <p>The charge of a task that throws, or that the delegate does not accept, is refunded.
 */
public final class LimitedExecutor implements Executor {
  private final Executor delegate;
  private final RateLimiter limiter;
  private final AcquireRequest request;
  private final Duration maxWait;

  private LimitedExecutor(
      Executor delegate, RateLimiter limiter, AcquireRequest request, Duration maxWait) {
    this.delegate = delegate;
    this.limiter = limiter;
    this.request = request;
    this.maxWait = maxWait;
  }

  /**
   * Charges each task with {@code request} and hands it to {@code delegate}.
   *
   * @param maxWait longest time that a submitter waits; zero refuses at once
   */
  public static LimitedExecutor of(
      Executor delegate, RateLimiter limiter, AcquireRequest request, Duration maxWait) {
    if (maxWait.isNegative()) {
      throw new IllegalArgumentException("maxWait " + maxWait + " must not be negative");
    }
    return new LimitedExecutor(delegate, limiter, request, maxWait);
  }

  @Override
  public void execute(Runnable task) {
    LeasedTask leased = new LeasedTask(task, acquire());
    try {
      delegate.execute(leased);
    } catch (RuntimeException | Error e) {
      leased.refund(e);
      throw e;
    }
  }

  private Lease acquire() {
    try {
      return limiter.acquire(request, maxWait);
    } catch (RateLimitExceededException
        | LimiterDisabledException
        | LimiterUnavailableException e) {
      throw rejected(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw rejected(e);
    }
  }

  private RejectedExecutionException rejected(Exception why) {
    return new RejectedExecutionException(
        "no tokens for the task within " + maxWait + ": " + why.getMessage(), why);
  }

  /** A task with the lease of its charge. */
  record LeasedTask(Runnable task, Lease lease) implements Runnable {
    @Override
    public void run() {
      try {
        task.run();
      } catch (Throwable failure) {
        refund(failure);
        throw failure;
      }
      if (task instanceof LimitedExecutorService.WatchedTask<?> watched && watched.didNothing()) {
        lease.cancel();
      } else {
        lease.close();
      }
    }

    void refund(Throwable failure) {
      try {
        lease.cancel();
      } catch (RuntimeException e) {
        failure.addSuppressed(e);
      }
    }
  }
}
