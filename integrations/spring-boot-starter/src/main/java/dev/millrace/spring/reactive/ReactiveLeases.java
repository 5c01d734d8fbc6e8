package dev.millrace.spring.reactive;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.RateLimiter;
import dev.millrace.adapters.call.CostSettler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The Reactor form of leases. */
public final class ReactiveLeases {
  private ReactiveLeases() {}

  /** Charges on subscription; cancelled, it refunds the charge. */
  public static Mono<Lease> acquired(
      RateLimiter limiter, AcquireRequest request, @Nullable Duration maxWait) {
    return Mono.fromFuture(
        () ->
            (maxWait == null
                    ? limiter.acquireAsync(request)
                    : limiter.acquireAsync(request, maxWait))
                .toCompletableFuture());
  }

  /** Settles {@code lease} with {@code result}. */
  public static <T> Mono<Void> settled(Lease lease, T result, CostSettler<? super T> settling) {
    return Mono.defer(
        () -> {
          settling.settleOrLog(lease, result);
          return Mono.fromCompletionStage(lease.closeAsync());
        });
  }

  /** Refunds {@code lease}. */
  public static Mono<Void> givenBack(Lease lease) {
    return Mono.defer(() -> Mono.fromCompletionStage(lease.cancelAsync()));
  }
}
