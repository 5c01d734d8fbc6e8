package dev.millrace.server.observability;

import dev.millrace.LimiterEvent.RoundTrip;
import dev.millrace.adapters.internal.StoreMeters;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A store whose round trips are spans. The parent of a span is the {@linkplain GroupSpans group}
 * that makes the call, or the request when there is none. What follows from the reply, such as
 * another trip, has the same parent.
 */
public final class TracedStore implements BlockingStore, AsyncStore {
  private final BlockingStore blocking;
  private final AsyncStore async;
  private final Tracer tracer;

  private TracedStore(BlockingStore blocking, AsyncStore async, Tracer tracer) {
    this.blocking = blocking;
    this.async = async;
    this.tracer = tracer;
  }

  /** Traces the round trips of {@code store}. */
  public static <S extends BlockingStore & AsyncStore> TracedStore over(
      S store, OpenTelemetry telemetry) {
    return new TracedStore(store, store, telemetry.getTracer(Telemetry.SCOPE));
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    Trip trip = begin(call);
    try {
      Context own = trip.parent().with(trip.span());
      StoreReply reply = own.wrapSupplier(() -> blocking.execute(call, timeoutMs)).get();
      trip.endSpan(reply, null);
      return reply;
    } catch (RuntimeException e) {
      trip.endSpan(null, e);
      throw e;
    } finally {
      trip.endInGroup();
    }
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    Trip trip = begin(call);
    CompletableFuture<StoreReply> answer = new CompletableFuture<>();
    CompletionStage<StoreReply> unused =
        async
            .executeAsync(call, timeoutMs)
            .whenComplete(
                (reply, error) -> {
                  trip.endSpan(reply, error);
                  trip.parent().wrap(() -> pass(reply, error, answer)).run();
                  trip.endInGroup();
                });
    return answer;
  }

  /** Completes {@code target} with the result of another future. */
  static <T> void pass(T value, @Nullable Throwable error, CompletableFuture<T> target) {
    if (error == null) {
      target.complete(value);
    } else {
      target.completeExceptionally(error);
    }
  }

  /** One round trip, below {@code parent}. */
  private record Trip(Span span, Context parent, GroupSpans.@Nullable Group group) {
    void endSpan(@Nullable StoreReply reply, @Nullable Throwable error) {
      if (reply != null) {
        RoundTrip.Result result = reply.result();
        span.setAttribute("millrace.outcome", StoreMeters.label(result));
        if (result == RoundTrip.Result.FAILED || result == RoundTrip.Result.UNKNOWN) {
          span.setStatus(StatusCode.ERROR);
        }
      }
      if (error != null) {
        span.recordException(error).setStatus(StatusCode.ERROR);
      }
      span.end();
    }

    void endInGroup() {
      if (group != null) {
        group.endTrip();
      }
    }
  }

  private Trip begin(StoreCall call) {
    Context current = RequestObserver.current();
    GroupSpans.Group group = GroupSpans.of(call, current, tracer);
    Context parent = group == null ? current : group.context();
    if (group != null) {
      group.beginTrip();
    }
    Span span =
        tracer
            .spanBuilder("millrace.store." + StoreMeters.label(call.operation()))
            .setSpanKind(SpanKind.CLIENT)
            .setParent(parent)
            .startSpan();
    if (call instanceof StoreCall.Write write) {
      span.setAttribute("millrace.plan", write.plan().getClass().getSimpleName());
      span.setAttribute("millrace.resource", write.key().resource());
    }
    return new Trip(span, parent, group);
  }
}
