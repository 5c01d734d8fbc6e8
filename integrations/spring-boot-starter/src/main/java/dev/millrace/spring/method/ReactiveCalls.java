package dev.millrace.spring.method;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.RateLimiter;
import dev.millrace.adapters.call.CostSettler;
import dev.millrace.spring.reactive.ReactiveLeases;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.expression.EvaluationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Calls whose result is a publisher: charged on subscription. In a class of its own, which is only
 * loaded where there is Reactor.
 */
final class ReactiveCalls {
  private ReactiveCalls() {}

  /** At most one element: failed, it is refunded. */
  static Mono<?> mono(
      RateLimiter limiter,
      MethodRule rule,
      Supplier<EvaluationContext> contexts,
      Supplier<@Nullable Object> method) {
    return Mono.defer(
        () -> {
          DeliveredElements seen = new DeliveredElements(contexts.get());
          return Mono.usingWhen(
              acquired(limiter, rule, seen),
              lease -> ((Mono<?>) published(method)).doOnNext(seen::next),
              lease -> settled(lease, rule, seen),
              (lease, failure) -> ReactiveLeases.givenBack(lease),
              lease -> settled(lease, rule, seen));
        });
  }

  /** Many elements: failed after the first, it is settled with the delivered ones. */
  static Flux<?> flux(
      RateLimiter limiter,
      MethodRule rule,
      Supplier<EvaluationContext> contexts,
      Supplier<@Nullable Object> method) {
    return Flux.defer(
        () -> {
          DeliveredElements seen = new DeliveredElements(contexts.get());
          return Flux.usingWhen(
              acquired(limiter, rule, seen),
              lease -> Flux.from(published(method)).doOnNext(seen::next),
              lease -> settled(lease, rule, seen),
              (lease, failure) ->
                  seen.count == 0 ? ReactiveLeases.givenBack(lease) : settled(lease, rule, seen),
              lease -> settled(lease, rule, seen));
        });
  }

  private static Publisher<?> published(Supplier<@Nullable Object> method) {
    return method.get() instanceof Publisher<?> publisher ? publisher : Mono.empty();
  }

  private static Mono<Lease> acquired(
      RateLimiter limiter, MethodRule rule, DeliveredElements seen) {
    AcquireRequest request = RateLimitedInterceptor.request(rule, seen.context);
    return ReactiveLeases.acquired(limiter, request, rule.maxWait());
  }

  private static Mono<Void> settled(Lease lease, MethodRule rule, DeliveredElements seen) {
    CostSettler<DeliveredElements> settling =
        (open, all) -> rule.charge().settle(open, all.context());
    return ReactiveLeases.settled(lease, seen, settling);
  }

  /** The elements delivered to a subscriber so far; one signal comes at a time. */
  private static final class DeliveredElements {
    final EvaluationContext context;
    long count;
    private @Nullable Object last;

    DeliveredElements(EvaluationContext context) {
      this.context = context;
    }

    void next(Object element) {
      last = element;
      count++;
    }

    EvaluationContext context() {
      context.setVariable("result", last);
      context.setVariable("count", count);
      return context;
    }
  }
}
