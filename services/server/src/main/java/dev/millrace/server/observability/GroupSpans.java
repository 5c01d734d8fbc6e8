package dev.millrace.server.observability;

import dev.millrace.LimiterEvent;
import dev.millrace.LimiterEvent.WriteGroup;
import dev.millrace.LimiterListener;
import dev.millrace.core.spi.store.StoreCall;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Spans of groups: requests that share a conversation with the store. The limiter reports the start
 * of a group on the thread that then makes its first call; {@link TracedStore} starts the span
 * there.
 *
 * <p>The group of a request that waited for no other is a span below that request. One that follows
 * another group belongs to no single request: it is a trace of its own, and every request that it
 * serves has a link to it.
 */
public final class GroupSpans implements LimiterListener {
  /** The group that was reported on this thread, until its first call. */
  private static final ThreadLocal<@Nullable WriteGroup> STARTED = new ThreadLocal<>();

  @Override
  public void onEvent(LimiterEvent event) {
    if (event instanceof WriteGroup group) {
      STARTED.set(group);
    }
  }

  /** A group in progress. Its span ends with the last round trip of its conversation. */
  static final class Group {
    private static final ContextKey<Group> KEY = ContextKey.named("millrace-group");

    private final Span span;
    private final AtomicInteger trips = new AtomicInteger();
    private final Context context;

    Group(Context parent, Span span) {
      this.span = span;
      this.context = parent.with(span).with(KEY, this);
    }

    /** The parent of its round trips, and of everything that follows from their replies. */
    Context context() {
      return context;
    }

    void beginTrip() {
      trips.incrementAndGet();
    }

    /** Called after everything that follows at once from the reply. */
    void endTrip() {
      if (trips.decrementAndGet() == 0) {
        span.end();
      }
    }
  }

  /**
   * The group that makes {@code call}: one that starts with it, or the one in progress in {@code
   * current}; null when there is none.
   */
  static @Nullable Group of(StoreCall call, Context current, Tracer tracer) {
    Group before = current.get(Group.KEY);
    WriteGroup started = STARTED.get();
    if (started == null) {
      return before;
    }
    STARTED.remove();
    if (!(call instanceof StoreCall.Write || call instanceof StoreCall.Read)) {
      return before; // the conversation had no call, and this is another's
    }
    Context parent = before == null ? current : Context.root();
    return new Group(
        parent,
        tracer
            .spanBuilder("millrace.group")
            .setParent(parent)
            .setAttribute("millrace.requests", started.requests())
            .setAttribute("millrace.resource", started.bucket().resource())
            .startSpan());
  }

  /**
   * Returns {@code decision}. At its end, the span of the calling thread's request gets a link to
   * the group that served it, if that is in another trace.
   */
  public static <T, S extends CompletionStage<T>> S linked(S decision) {
    Span request = Span.fromContext(RequestObserver.current());
    if (request.isRecording()) {
      var unused =
          decision.whenComplete(
              (answer, failure) -> {
                Group group = Context.current().get(Group.KEY);
                if (group != null) {
                  SpanContext own = group.span.getSpanContext();
                  if (!own.getTraceId().equals(request.getSpanContext().getTraceId())) {
                    request.addLink(own);
                  }
                }
              });
    }
    return decision;
  }
}
