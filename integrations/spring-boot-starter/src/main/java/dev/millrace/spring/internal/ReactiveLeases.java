package dev.millrace.spring.internal;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.RateLimiter;
import dev.millrace.adapters.CostSettler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The Reactor form of leases. */
final class ReactiveLeases {
  private ReactiveLeases() {}

  /** Charges on subscription; cancelled, it refunds the charge. */
  static Mono<Lease> acquired(
      RateLimiter limiter, AcquireRequest request, @Nullable Duration maxWait) {
    return Mono.fromFuture(
        () ->
            (maxWait == null
                    ? limiter.acquireAsync(request)
                    : limiter.acquireAsync(request, maxWait))
                .toCompletableFuture());
  }

  static <T> Mono<Void> settled(Lease lease, T result, CostSettler<? super T> settling) {
    return Mono.defer(
        () -> {
          settling.settleOrLog(lease, result);
          return Mono.fromCompletionStage(lease.closeAsync());
        });
  }

  static Mono<Void> refunded(Lease lease) {
    return Mono.defer(() -> Mono.fromCompletionStage(lease.cancelAsync()));
  }
}
