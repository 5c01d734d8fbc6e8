package dev.millrace.benchmarks.scenario;

import dev.millrace.benchmarks.load.Ask;
import dev.millrace.benchmarks.load.AsyncAsk;
import dev.millrace.benchmarks.meter.AdmissionMeter;
import dev.millrace.client.Acquisition;
import dev.millrace.client.AsyncAcquisition;
import dev.millrace.client.AsyncRateLimiter;
import dev.millrace.client.LeaseView;
import dev.millrace.client.RateLimiter;
import dev.millrace.core.request.AcquireRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * What callers do: ask for one of some entities, use the lease, end it. Every admission goes to the
 * meter.
 *
 * @param requests one for each entity
 * @param meter has a bucket for each
 * @param use what is done with a lease before it is closed
 */
record Traffic(List<AcquireRequest> requests, AdmissionMeter meter, Consumer<LeaseView> use) {
  private static final CompletionStage<Boolean> REFUSED = CompletableFuture.completedFuture(false);

  /** Leases that are closed unused. */
  static Traffic of(List<AcquireRequest> requests, AdmissionMeter meter) {
    return new Traffic(requests, meter, lease -> {});
  }

  Ask blocking(RateLimiter limiter) {
    return () -> {
      int entity = pick();
      if (limiter.tryAcquire(requests.get(entity)) instanceof Acquisition.Granted granted) {
        meter.admitted(entity);
        use.accept(granted.lease());
        granted.lease().close();
        return true;
      }
      return false;
    };
  }

  AsyncAsk async(AsyncRateLimiter limiter) {
    return () -> {
      int entity = pick();
      return limiter
          .tryAcquire(requests.get(entity))
          .thenCompose(
              answer -> {
                if (answer instanceof AsyncAcquisition.Granted granted) {
                  meter.admitted(entity);
                  use.accept(granted.lease());
                  return granted.lease().close().thenApply(ignored -> true);
                }
                return REFUSED;
              });
    };
  }

  private int pick() {
    return requests.size() == 1 ? 0 : ThreadLocalRandom.current().nextInt(requests.size());
  }
}
