package dev.millrace.client.support;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Limit;
import dev.millrace.RateLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Callers that ask as fast as they are told they may: each one that is refused comes back after the
 * time that it was told.
 */
public final class Load {
  private final AdmissionLog admissions = new AdmissionLog();
  private final AtomicLong refusals = new AtomicLong();
  private final AtomicLong leastRetryAfterMs = new AtomicLong(Long.MAX_VALUE);

  /** The amounts that one request charges of {@code limit} are what is logged. */
  public static Load run(
      RateLimiter limiter,
      Supplier<AcquireRequest> requests,
      String limit,
      int threads,
      long durationMs)
      throws InterruptedException, ExecutionException {
    Load load = new Load();
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      long endsAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
      List<Future<?>> callers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        callers.add(executor.submit(() -> load.call(limiter, requests, limit, endsAt)));
      }
      for (Future<?> caller : callers) {
        caller.get();
      }
    } finally {
      executor.shutdownNow();
    }
    return load;
  }

  private void call(
      RateLimiter limiter, Supplier<AcquireRequest> requests, String limit, long endsAt) {
    while (System.nanoTime() < endsAt) {
      AcquireRequest request = requests.get();
      long calledMs = System.currentTimeMillis();
      Acquisition answer = limiter.tryAcquire(request);
      long returnedMs = System.currentTimeMillis();
      if (answer instanceof Acquisition.Granted) {
        admissions.add(calledMs, returnedMs, request.tokens().get(limit) * Limit.MILLI);
      } else if (answer instanceof Acquisition.Refused refused) {
        refusals.incrementAndGet();
        long waitMs = refused.rejection().retryAfterMs();
        leastRetryAfterMs.accumulateAndGet(waitMs, Math::min);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(waitMs));
      }
    }
  }

  public AdmissionLog admissions() {
    return admissions;
  }

  public long refusals() {
    return refusals.get();
  }

  /** The shortest time that a refusal told to wait. */
  public long leastRetryAfterMs() {
    return leastRetryAfterMs.get();
  }
}
