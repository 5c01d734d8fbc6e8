package dev.millrace.spring.internal;

import dev.millrace.Lease;
import dev.millrace.RateLimiter;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.expression.EvaluationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The calls of a method whose result is a publisher: each subscription is charged, and has a call
 * of its own. Failed before the first element, it is refunded; else it is settled with the
 * delivered ones. In a class of its own, which is only loaded where there is Reactor.
 */
record ReactiveCalls(
    RateLimiter limiter,
    MethodRule rule,
    Supplier<EvaluationContext> contexts,
    Supplier<@Nullable Object> method) {
  Mono<?> mono() {
    return flux().singleOrEmpty();
  }

  Flux<?> flux() {
    return Flux.defer(
        () -> {
          DeliveredElements delivered = new DeliveredElements(contexts.get());
          return Flux.usingWhen(
              ReactiveLeases.acquired(
                  limiter, RateLimitedInterceptor.request(rule, delivered.context), rule.maxWait()),
              lease -> Flux.from(published()).doOnNext(delivered::next),
              lease -> settled(lease, delivered),
              (lease, failure) ->
                  delivered.count == 0 ? ReactiveLeases.refunded(lease) : settled(lease, delivered),
              lease -> settled(lease, delivered));
        });
  }

  private Publisher<?> published() {
    return method.get() instanceof Publisher<?> publisher ? publisher : Mono.empty();
  }

  private Mono<Void> settled(Lease lease, DeliveredElements delivered) {
    return ReactiveLeases.settled(
        lease, delivered, (held, all) -> rule.charge().settle(held, all.context()));
  }

  /** The elements that were delivered to one subscriber. */
  private static final class DeliveredElements {
    private final EvaluationContext context;
    private long count;
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
