package dev.millrace.server.observability;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import io.netty.util.AttributeKey;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A span for each request, child of the caller's when it sends {@code traceparent}. A request is
 * served by several threads one after the other, so its span goes with the request, not with the
 * thread.
 */
final class Traces {
  /** Who makes the spans. */
  static final String SCOPE = "dev.millrace";

  private static final ContextKey<String> REQUEST = ContextKey.named("millrace-request");
  private static final AttributeKey<Context> CONTEXT =
      AttributeKey.valueOf(Traces.class, "CONTEXT");

  private static final TextMapGetter<RequestHeaders> HEADERS =
      new TextMapGetter<>() {
        @Override
        @SuppressWarnings("deprecation") // still has to be there
        public Iterable<String> keys(RequestHeaders headers) {
          return headers.names().stream().map(Object::toString).toList();
        }

        @Override
        public @Nullable String get(@Nullable RequestHeaders headers, String key) {
          return headers == null ? null : headers.get(key);
        }
      };

  private final OpenTelemetry telemetry;
  private final Tracer tracer;

  Traces(OpenTelemetry telemetry) {
    this.telemetry = telemetry;
    this.tracer = telemetry.getTracer(SCOPE);
  }

  /** On whose behalf the calling thread works. */
  static Context current() {
    Context current = Context.current();
    if (Span.fromContextOrNull(current) != null) {
      return current;
    }
    ServiceRequestContext request = ServiceRequestContext.currentOrNull();
    Context noted = request == null ? null : request.attr(CONTEXT);
    return noted == null ? current : noted;
  }

  HttpService around(HttpService next) {
    return new SimpleDecoratingHttpService(next) {
      @Override
      public HttpResponse serve(ServiceRequestContext context, HttpRequest request)
          throws Exception {
        Context caller =
            telemetry
                .getPropagators()
                .getTextMapPropagator()
                .extract(Context.root(), request.headers(), HEADERS);
        String route = RequestMeters.route(context);
        Span span =
            tracer
                .spanBuilder(request.method() + " " + route)
                .setSpanKind(SpanKind.SERVER)
                .setParent(caller)
                .setAttribute("http.request.method", request.method().name())
                .setAttribute("http.route", route)
                .setAttribute("millrace.request", context.id().text())
                .startSpan();
        Context own = caller.with(span).with(REQUEST, context.id().text());
        context.setAttr(CONTEXT, own);
        CompletableFuture<RequestLog> ended = context.log().whenComplete();
        CompletableFuture<Void> unused = ended.thenAccept(log -> end(span, log));
        HttpRequest followed = new FollowedRequest(request, own);
        context.updateRequest(followed);
        return own.wrap(() -> unwrap().serve(context, followed)).call();
      }
    };
  }

  private static void end(Span span, RequestLog log) {
    int status = log.responseStatus().code();
    span.setAttribute("http.response.status_code", status);
    if (status >= 500) {
      span.setStatus(StatusCode.ERROR);
    }
    span.end();
  }

  /** The id of the request that the calling thread works for, null when there is none. */
  static @Nullable String request() {
    return current().get(REQUEST);
  }

  /**
   * The ids of the trace and the span that the calling thread works on; empty when there is none.
   */
  static List<String> ids() {
    Span span = Span.fromContextOrNull(current());
    return span == null || !span.getSpanContext().isValid()
        ? List.of()
        : List.of(span.getSpanContext().getTraceId(), span.getSpanContext().getSpanId());
  }
}
