package dev.millrace.llm.meter;

import dev.millrace.client.Acquisition;
import dev.millrace.client.AsyncAcquisition;
import dev.millrace.client.AsyncRateLimiter;
import dev.millrace.client.RateLimiter;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.error.LimiterDisabledException;
import dev.millrace.core.error.MillraceException;
import dev.millrace.core.request.AcquireRequest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A common interface of blocking and asynchronous limiters. */
interface LeaseSource {
  /** Requests a lease, and waits up to {@code maxWait} for tokens. */
  CompletionStage<Answer> ask(AcquireRequest request, Duration maxWait);

  /**
   * Granted or refused. A disabled entity or resource fails the stage: no smaller request would be
   * admitted.
   */
  sealed interface Answer {
    record Granted(MeterLease lease) implements Answer {}

    record Refused(Rejection rejection) implements Answer {}
  }

  static LeaseSource of(RateLimiter limiter) {
    return (request, maxWait) -> {
      try {
        return answered(limiter, request, maxWait);
      } catch (RuntimeException e) {
        return CompletableFuture.failedFuture(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return CompletableFuture.failedFuture(
            new MillraceException("interrupted while waiting for tokens", Map.of(), e));
      }
    };
  }

  private static CompletionStage<Answer> answered(
      RateLimiter limiter, AcquireRequest request, Duration maxWait) throws InterruptedException {
    Acquisition answer =
        maxWait.isZero() ? limiter.tryAcquire(request) : limiter.tryAcquire(request, maxWait);
    if (answer instanceof Acquisition.Granted granted) {
      return CompletableFuture.completedFuture(new Answer.Granted(MeterLease.of(granted.lease())));
    }
    if (answer instanceof Acquisition.Refused refused) {
      return CompletableFuture.completedFuture(new Answer.Refused(refused.rejection()));
    }
    return CompletableFuture.failedFuture(
        new LimiterDisabledException(((Acquisition.Disabled) answer).disabled()));
  }

  static LeaseSource of(AsyncRateLimiter limiter) {
    return (request, maxWait) ->
        (maxWait.isZero() ? limiter.tryAcquire(request) : limiter.tryAcquire(request, maxWait))
            .thenCompose(
                answer -> {
                  if (answer instanceof AsyncAcquisition.Granted granted) {
                    return CompletableFuture.completedFuture(
                        new Answer.Granted(MeterLease.of(granted.lease())));
                  }
                  if (answer instanceof AsyncAcquisition.Refused refused) {
                    return CompletableFuture.completedFuture(
                        new Answer.Refused(refused.rejection()));
                  }
                  return CompletableFuture.failedFuture(
                      new LimiterDisabledException(
                          ((AsyncAcquisition.Disabled) answer).disabled()));
                });
  }
}
