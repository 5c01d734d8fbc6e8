package dev.millrace.proving.soak.worker;

import dev.millrace.client.Acquisition;
import dev.millrace.client.AsyncAcquisition;
import dev.millrace.client.AsyncRateLimiter;
import dev.millrace.client.RateLimiter;
import dev.millrace.core.request.AcquireRequest;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The limiter as its callers see it, blocking or not. */
interface Door {
  /** Longest time that anything asynchronous may take: many times the limiter's own limit. */
  Duration PATIENCE = Duration.ofSeconds(30);

  /** A lease, or null when refused. */
  @Nullable Held ask(AcquireRequest request, Duration maxWait) throws InterruptedException;

  static Door blocking(RateLimiter limiter) {
    return (request, maxWait) -> {
      Acquisition answer =
          maxWait.isZero() ? limiter.tryAcquire(request) : limiter.tryAcquire(request, maxWait);
      if (answer instanceof Acquisition.Disabled) {
        throw new IllegalStateException("nobody is switched off: " + answer);
      }
      return answer instanceof Acquisition.Granted granted ? Held.of(granted.lease()) : null;
    };
  }

  static Door async(AsyncRateLimiter limiter) {
    return (request, maxWait) -> {
      AsyncAcquisition answer =
          await(
              maxWait.isZero()
                  ? limiter.tryAcquire(request)
                  : limiter.tryAcquire(request, maxWait));
      if (answer instanceof AsyncAcquisition.Disabled) {
        throw new IllegalStateException("nobody is switched off: " + answer);
      }
      return answer instanceof AsyncAcquisition.Granted granted ? Held.of(granted.lease()) : null;
    };
  }

  /** What a stage ends with; what it fails with is thrown as the blocking limiter would. */
  static <T> T await(CompletionStage<T> stage) throws InterruptedException {
    try {
      return stage.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException("a stage failed", e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("a stage did not end within " + PATIENCE, e);
    }
  }
}
