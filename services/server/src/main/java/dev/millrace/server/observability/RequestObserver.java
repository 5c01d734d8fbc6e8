package dev.millrace.server.observability;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.AggregationOptions;
import com.linecorp.armeria.common.FilteredHttpRequest;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.adapters.internal.BoundedLabels;
import dev.millrace.adapters.internal.StoreMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.util.AttributeKey;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A decorator of all routes that measures every request: a timer by route and status, live
 * statistics of acquires, and a span, below that of the caller if it sends {@code traceparent}.
 * Several threads serve a request one after the other, so its span is attached to the request, not
 * to a thread.
 */
final class RequestObserver {
  static final String TIMER = "millrace.requests";

  /** Most routes with a timer: they are patterns, and the server has fewer. */
  private static final int MAX_ROUTES = 100;

  private static final ContextKey<String> REQUEST_ID = ContextKey.named("millrace-request");
  private static final AttributeKey<Context> CONTEXT =
      AttributeKey.valueOf(RequestObserver.class, "CONTEXT");

  private static final TextMapGetter<RequestHeaders> HEADERS =
      new TextMapGetter<>() {
        @Override
        @SuppressWarnings("deprecation") // abstract all the same
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
  private final MeterRegistry meters;
  private final LiveStats live;
  private final BoundedLabels routes = new BoundedLabels(MAX_ROUTES);
  private final Map<String, Timer> timers = new ConcurrentHashMap<>();

  RequestObserver(OpenTelemetry telemetry, MeterRegistry meters, LiveStats live) {
    this.telemetry = telemetry;
    this.meters = meters;
    this.live = live;
    this.tracer = telemetry.getTracer(Telemetry.SCOPE);
  }

  /** The context of the request or group that the calling thread serves. */
  static Context current() {
    Context current = Context.current();
    if (Span.fromContextOrNull(current) != null) {
      return current;
    }
    ServiceRequestContext request = ServiceRequestContext.currentOrNull();
    Context attached = request == null ? null : request.attr(CONTEXT);
    return attached == null ? current : attached;
  }

  HttpResponse serve(HttpService next, ServiceRequestContext context, HttpRequest request)
      throws Exception {
    Context caller =
        telemetry
            .getPropagators()
            .getTextMapPropagator()
            .extract(Context.root(), request.headers(), HEADERS);
    String route = context.config().route().patternString(); // a path has names of entities
    Span span =
        tracer
            .spanBuilder(request.method() + " " + route)
            .setSpanKind(SpanKind.SERVER)
            .setParent(caller)
            .setAttribute("http.request.method", request.method().name())
            .setAttribute("http.route", route)
            .setAttribute("millrace.request", context.id().text())
            .startSpan();
    Context own = caller.with(span).with(REQUEST_ID, context.id().text());
    context.setAttr(CONTEXT, own);
    CompletableFuture<RequestLog> ended = context.log().whenComplete();
    CompletableFuture<Void> unused = ended.thenAccept(log -> end(route, span, log));
    HttpRequest traced = new TracedRequest(request, own);
    context.updateRequest(traced);
    return own.wrap(() -> next.serve(context, traced)).call();
  }

  private void end(String route, Span span, RequestLog log) {
    int code = log.responseStatus().code();
    span.setAttribute("http.response.status_code", code);
    if (code >= 500) {
      span.setStatus(StatusCode.ERROR);
    }
    span.end();
    String status = log.responseStatus().codeClass().name().toLowerCase(Locale.ROOT);
    String label = routes.of(route);
    long nanos = log.totalDurationNanos();
    timers
        .computeIfAbsent(
            label + " " + status,
            key -> StoreMeters.timer(TIMER).tags("route", label, "status", status).register(meters))
        .record(nanos, TimeUnit.NANOSECONDS);
    if (route.endsWith("/acquire") || route.endsWith("/ShouldRateLimit")) {
      live.took(nanos);
    }
  }

  /** The id of the request that the calling thread serves, null when there is none. */
  static @Nullable String requestId() {
    return current().get(REQUEST_ID);
  }

  /**
   * A request whose body completes in a trace context, so that everything that follows from the
   * body belongs to that trace.
   *
   * <p>The HTTP server's own thread-local request would not do: requests that share a write are
   * answered by the thread of one of them, on which the server refuses to work for another request.
   */
  private static final class TracedRequest extends FilteredHttpRequest {
    private final HttpRequest request;
    private final Context context;

    TracedRequest(HttpRequest request, Context context) {
      super(request);
      this.request = request;
      this.context = context;
    }

    @Override
    @SuppressWarnings("unchecked") // of its superclass, as in FilteredHttpRequest
    public CompletableFuture<AggregatedHttpRequest> aggregate(AggregationOptions options) {
      return inContext(request.aggregate(options));
    }

    @Override
    public CompletableFuture<AggregatedHttpRequest> aggregate() {
      return inContext(request.aggregate());
    }

    private <T> CompletableFuture<T> inContext(CompletableFuture<T> body) {
      CompletableFuture<T> completed = new CompletableFuture<>();
      CompletableFuture<?> unused =
          body.whenComplete(
              (whole, error) ->
                  context.wrap(() -> TracedStore.pass(whole, error, completed)).run());
      return completed;
    }

    @Override
    protected HttpObject filter(HttpObject part) {
      return part;
    }
  }
}
