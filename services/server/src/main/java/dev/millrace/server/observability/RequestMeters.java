package dev.millrace.server.observability;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.millrace.adapters.internal.BoundedLabels;
import dev.millrace.adapters.internal.StoreMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** How long requests took, by route and status; those for tokens are also shown live. */
final class RequestMeters {
  static final String NAME = "millrace.requests";

  /**
   * Most routes that are told apart: there are as many as the server has, and they are patterns.
   */
  private static final int MAX_ROUTES = 100;

  private final MeterRegistry meters;
  private final LiveStats live;
  private final BoundedLabels routes = new BoundedLabels(MAX_ROUTES);
  private final Map<String, Timer> timers = new ConcurrentHashMap<>();

  RequestMeters(MeterRegistry meters, LiveStats live) {
    this.meters = meters;
    this.live = live;
  }

  HttpService around(HttpService next) {
    return new SimpleDecoratingHttpService(next) {
      @Override
      public HttpResponse serve(ServiceRequestContext context, HttpRequest request)
          throws Exception {
        CompletableFuture<RequestLog> ended = context.log().whenComplete();
        CompletableFuture<Void> unused = ended.thenAccept(log -> count(context, log));
        return unwrap().serve(context, request);
      }
    };
  }

  private void count(ServiceRequestContext context, RequestLog log) {
    String route = route(context);
    long nanos = log.totalDurationNanos();
    timer(
            routes.of(route),
            log.responseStatus().codeClass().name().toLowerCase(java.util.Locale.ROOT))
        .record(nanos, TimeUnit.NANOSECONDS);
    if (route.endsWith("/acquire") || route.endsWith("/ShouldRateLimit")) {
      live.answered(nanos);
    }
  }

  private Timer timer(String route, String status) {
    return timers.computeIfAbsent(
        route + " " + status,
        key -> StoreMeters.timer(NAME).tags("route", route, "status", status).register(meters));
  }

  /** The pattern of the route, never the path: paths have the names of entities in them. */
  static String route(ServiceRequestContext context) {
    return context.config().route().patternString();
  }
}
