package dev.millrace.benchmarks.scenario;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Consistency;
import dev.millrace.Lease;
import dev.millrace.RateLimiter;
import dev.millrace.benchmarks.BenchException;
import dev.millrace.benchmarks.load.Ask;
import dev.millrace.benchmarks.load.AsyncAsk;
import dev.millrace.benchmarks.meter.AdmissionMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * The requests of callers: acquire for one of some entities, use the lease, close it.
 *
 * @param requests one for each entity
 * @param admissions hears the number of each entity that is admitted
 * @param use what is done with a lease before it is closed
 */
record CallerBehaviour(List<AcquireRequest> requests, IntConsumer admissions, Consumer<Lease> use) {
  /** How many ask at once to warm up. */
  private static final int WARMING_THREADS = 8;

  private static final CompletionStage<Boolean> REFUSED = CompletableFuture.completedFuture(false);

  /** Leases that are closed unused; {@code meter} has a bucket for each entity. */
  static CallerBehaviour of(List<AcquireRequest> requests, AdmissionMeter meter) {
    return new CallerBehaviour(requests, meter::admitted, lease -> {});
  }

  Ask blocking(RateLimiter limiter) {
    return () -> {
      int entity = pick();
      return ask(limiter, entity, requests.get(entity));
    };
  }

  private boolean ask(RateLimiter limiter, int entity, AcquireRequest request) {
    if (limiter.tryAcquire(request) instanceof Acquisition.Granted granted) {
      admissions.accept(entity);
      use.accept(granted.lease());
      granted.lease().close();
      return true;
    }
    return false;
  }

  AsyncAsk async(RateLimiter limiter) {
    return () -> {
      int entity = pick();
      return limiter
          .tryAcquireAsync(requests.get(entity))
          .thenCompose(
              answer -> {
                if (answer instanceof Acquisition.Granted granted) {
                  admissions.accept(entity);
                  use.accept(granted.lease());
                  return granted.lease().closeAsync().thenApply(ignored -> true);
                }
                return REFUSED;
              });
    };
  }

  /**
   * Asks every limiter for every entity once. What a limiter reads of an entity that it has never
   * met is not the load that is measured, and chance alone would leave some for later.
   */
  void warm(List<RateLimiter> limiters) throws InterruptedException {
    List<Callable<Boolean>> asks = new ArrayList<>(limiters.size() * requests.size());
    for (RateLimiter limiter : limiters) {
      for (int i = 0; i < requests.size(); i++) {
        int entity = i;
        // Each bucket by itself: transactions would be in each other's way.
        AcquireRequest request = requests.get(i).consistency(Consistency.PARALLEL);
        asks.add(() -> ask(limiter, entity, request));
      }
    }
    ExecutorService threads = Executors.newFixedThreadPool(WARMING_THREADS);
    try {
      for (Future<Boolean> asked : threads.invokeAll(asks)) {
        asked.get();
      }
    } catch (ExecutionException e) {
      throw new BenchException("a limiter could not be warmed up: " + e.getCause(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  private int pick() {
    return requests.size() == 1 ? 0 : ThreadLocalRandom.current().nextInt(requests.size());
  }
}
