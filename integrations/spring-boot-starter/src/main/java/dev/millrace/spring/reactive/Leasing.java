package dev.millrace.spring.reactive;

import dev.millrace.adapters.call.Settling;
import dev.millrace.client.AsyncLease;
import dev.millrace.client.AsyncRateLimiter;
import dev.millrace.core.request.AcquireRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Leases as Reactor sees them. */
public final class Leasing {
  private Leasing() {}

  /** Charges when it is subscribed to; cancelled, it gives back what it took. */
  public static Mono<AsyncLease> acquired(
      AsyncRateLimiter limiter, AcquireRequest request, @Nullable Duration maxWait) {
    return Mono.fromFuture(
        () ->
            (maxWait == null ? limiter.acquire(request) : limiter.acquire(request, maxWait))
                .toCompletableFuture());
  }

  /** Settles {@code lease} with {@code result}. */
  public static <T> Mono<Void> settled(AsyncLease lease, T result, Settling<? super T> settling) {
    return Mono.defer(
        () -> {
          settling.settleOrLog(lease, result);
          return Mono.fromCompletionStage(lease.close());
        });
  }

  /** Takes {@code lease} back. */
  public static Mono<Void> givenBack(AsyncLease lease) {
    return Mono.defer(() -> Mono.fromCompletionStage(lease.cancel()));
  }
}
