package dev.millrace.server.observability;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A group whose conversation is going on. Its span ends with the round trip after which no other is
 * begun.
 */
final class OpenGroup {
  private static final ContextKey<OpenGroup> KEY = ContextKey.named("millrace-group");

  private final Span span;
  private final AtomicInteger trips = new AtomicInteger();
  private final Context context;

  private OpenGroup(Context parent, Span span) {
    this.span = span;
    this.context = parent.with(span).with(KEY, this);
  }

  static OpenGroup begin(Context parent, Span span) {
    return new OpenGroup(parent, span);
  }

  /** The group that {@code context} works for, null when there is none. */
  static @Nullable OpenGroup in(Context context) {
    return context.get(KEY);
  }

  /** What its round trips belong to, and what follows from their answers. */
  Context context() {
    return context;
  }

  SpanContext spanContext() {
    return span.getSpanContext();
  }

  /** Whether it is in the trace of {@code request}. */
  boolean isOf(Span request) {
    return request.getSpanContext().getTraceId().equals(spanContext().getTraceId());
  }

  void beginTrip() {
    trips.incrementAndGet();
  }

  /** After everything that follows at once from the answer. */
  void endTrip() {
    if (trips.decrementAndGet() == 0) {
      span.end();
    }
  }
}
