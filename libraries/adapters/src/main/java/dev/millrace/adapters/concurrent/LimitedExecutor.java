package dev.millrace.adapters.concurrent;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
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
 * <p>The charge of a task that throws, or that the executor behind does not accept, is refunded.
 */
public final class LimitedExecutor implements Executor {
  private final Executor behind;
  private final RateLimiter limiter;
  private final AcquireRequest request;
  private final Duration maxWait;

  private LimitedExecutor(
      Executor behind, RateLimiter limiter, AcquireRequest request, Duration maxWait) {
    this.behind = behind;
    this.limiter = limiter;
    this.request = request;
    this.maxWait = maxWait;
  }

  /**
   * Charges each task with {@code request} and hands it to {@code behind}.
   *
   * @param maxWait longest time that a submitter waits; zero refuses at once
   */
  public static LimitedExecutor of(
      Executor behind, RateLimiter limiter, AcquireRequest request, Duration maxWait) {
    if (maxWait.isNegative()) {
      throw new IllegalArgumentException("maxWait " + maxWait + " must not be negative");
    }
    return new LimitedExecutor(behind, limiter, request, maxWait);
  }

  @Override
  public void execute(Runnable task) {
    LeasedTask leased = new LeasedTask(task, acquire());
    try {
      behind.execute(leased);
    } catch (RuntimeException | Error e) {
      leased.giveBack(e);
      throw e;
    }
  }

  private Lease acquire() {
    try {
      Acquisition answer = limiter.tryAcquire(request, maxWait);
      if (answer instanceof Acquisition.Granted granted) {
        return granted.lease();
      }
      throw answer instanceof Acquisition.Refused refused
          ? rejected(new RateLimitExceededException(refused.rejection()))
          : rejected(new LimiterDisabledException(((Acquisition.Disabled) answer).disabled()));
    } catch (LimiterUnavailableException e) {
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
}
