package dev.millrace.server.observability;

import dev.millrace.adapters.internal.StoreMeters;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A store whose round trips are spans. The span belongs to the {@linkplain GroupSpans group} on
 * whose behalf the trip is made, or to the request when there is none; what follows from its
 * answer, another trip perhaps, is made on behalf of the same.
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
  public static <S extends BlockingStore & AsyncStore> TracedStore over(S store, Tracer tracer) {
    return new TracedStore(store, store, tracer);
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    Trip trip = begin(call);
    try {
      StoreReply reply =
          trip.parent()
              .with(trip.span())
              .wrapSupplier(() -> blocking.execute(call, timeoutMs))
              .get();
      end(trip.span(), reply, null);
      return reply;
    } catch (RuntimeException e) {
      end(trip.span(), null, e);
      throw e;
    } finally {
      trip.end();
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
                  end(trip.span(), reply, error);
                  trip.parent().wrap(() -> pass(reply, error, answer)).run();
                  trip.end();
                });
    return answer;
  }

  private static void pass(
      StoreReply reply, @Nullable Throwable error, CompletableFuture<StoreReply> answer) {
    if (error == null) {
      answer.complete(reply);
    } else {
      answer.completeExceptionally(error);
    }
  }

  /** One round trip, below {@code parent}. */
  private record Trip(Span span, Context parent, @Nullable OpenGroup group) {
    void end() {
      if (group != null) {
        group.endTrip();
      }
    }
  }

  private Trip begin(StoreCall call) {
    Context current = Traces.current();
    OpenGroup group = GroupSpans.of(call, current, tracer);
    Context parent = group == null ? current : group.context();
    if (group != null) {
      group.beginTrip();
    }
    Span span =
        tracer
            .spanBuilder("millrace.store." + StoreMeters.kind(call))
            .setSpanKind(SpanKind.CLIENT)
            .setParent(parent)
            .startSpan();
    if (call instanceof StoreCall.Write write) {
      span.setAttribute("millrace.plan", write.plan().getClass().getSimpleName());
      span.setAttribute("millrace.resource", write.key().resource());
    }
    return new Trip(span, parent, group);
  }

  private static void end(Span span, @Nullable StoreReply reply, @Nullable Throwable error) {
    if (reply != null) {
      String outcome = StoreMeters.outcome(reply);
      span.setAttribute("millrace.outcome", outcome);
      if (outcome.equals("failed") || outcome.equals("unknown")) {
        span.setStatus(StatusCode.ERROR);
      }
    }
    if (error != null) {
      span.recordException(error).setStatus(StatusCode.ERROR);
    }
    span.end();
  }
}
