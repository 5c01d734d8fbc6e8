package dev.millrace.server.observability;

import dev.millrace.BucketKey;
import dev.millrace.LimiterListener;
import dev.millrace.core.spi.store.StoreCall;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Spans of groups: requests that share a conversation with the store. The limiter tells when one
 * begins, on the thread that then makes its first call; {@link TracedStore} makes the span there.
 *
 * <p>The group of a request that finds nobody before it is a span below that request. One that is
 * led on the heels of another belongs to no single request: it is a trace of its own, and every
 * request that it serves has a link to it.
 */
public final class GroupSpans implements LimiterListener {
  private static final String NAME = "millrace.group";

  /** What was told on this thread, until the call that it is about. */
  private static final ThreadLocal<@Nullable Begun> BEGUN = new ThreadLocal<>();

  private record Begun(BucketKey key, int requests) {}

  @Override
  public void onGroup(BucketKey key, int requests) {
    BEGUN.set(new Begun(key, requests));
  }

  /**
   * The group on whose behalf {@code call} is made: one that begins with it, or the one that goes
   * on in {@code current}; null when there is none.
   */
  static @Nullable OpenGroup of(StoreCall call, Context current, Tracer tracer) {
    OpenGroup before = OpenGroup.in(current);
    Begun begun = BEGUN.get();
    if (begun == null) {
      return before;
    }
    BEGUN.remove();
    if (!(call instanceof StoreCall.Write || call instanceof StoreCall.Read)) {
      return before; // the conversation had no call, and this is another's
    }
    Context parent = before == null ? current : Context.root();
    Span span =
        tracer
            .spanBuilder(NAME)
            .setParent(parent)
            .setAttribute("millrace.requests", begun.requests())
            .setAttribute("millrace.resource", begun.key().resource())
            .startSpan();
    return OpenGroup.begin(parent, span);
  }

  /**
   * {@code asked}, by whose end the span of the request that the calling thread works for has a
   * link to the group that served it, if that is in another trace.
   */
  public static <T, S extends CompletionStage<T>> S linked(S asked) {
    Span request = Span.fromContext(Traces.current());
    if (request.isRecording()) {
      var unused =
          asked.whenComplete(
              (answer, failure) -> {
                OpenGroup group = OpenGroup.in(Context.current());
                if (group != null && !group.isOf(request)) {
                  request.addLink(group.spanContext());
                }
              });
    }
    return asked;
  }
}
