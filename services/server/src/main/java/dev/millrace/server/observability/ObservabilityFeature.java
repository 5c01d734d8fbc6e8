package dev.millrace.server.observability;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServerBuilder;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.server.Feature;
import dev.millrace.server.ServerParts;
import dev.millrace.server.problem.ProblemException;
import dev.millrace.server.security.Scope;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/**
 * {@code /metrics}, {@code /health} and {@code /ready}, and what is measured of every request.
 * Health and readiness ask for no key, because probes have none, and tell nothing that needs one.
 */
public final class ObservabilityFeature implements Feature {
  private static final MediaType PROMETHEUS =
      MediaType.parse("text/plain; version=0.0.4; charset=utf-8");

  private final LiveStats live;
  private final Readiness readiness;
  private final JvmGcMetrics garbage = new JvmGcMetrics();

  /**
   * The feature.
   *
   * @param live where the time that requests took is shown
   * @param readiness whether the server is ready; closed with this
   */
  public ObservabilityFeature(LiveStats live, Readiness readiness) {
    this.live = live;
    this.readiness = readiness;
  }

  @Override
  public void addTo(ServerBuilder server, ServerParts parts) {
    MeterRegistry meters = parts.meters();
    LimiterGauges.bind(parts.limiters(), meters);
    Gauge.builder("millrace.ready", readiness, now -> now.isHealthy() ? 1 : 0).register(meters);
    garbage.bindTo(meters);
    new JvmMemoryMetrics().bindTo(meters);
    new JvmThreadMetrics().bindTo(meters);
    new ProcessorMetrics().bindTo(meters);
    new UptimeMetrics().bindTo(meters);
    server.decorator(new RequestMeters(meters, live)::around);
    server.decorator(new Traces(parts.telemetry())::around);
    server.route().get("/health").build((context, request) -> HttpResponse.ofJson(Status.UP));
    server.route().get("/ready").build((context, request) -> ready());
    if (meters instanceof PrometheusMeterRegistry prometheus) {
      server
          .route()
          .get("/metrics")
          .decorator(parts.guard().requiring(Scope.READ))
          .build(
              (context, request) ->
                  HttpResponse.of(
                      () -> HttpResponse.of(HttpStatus.OK, PROMETHEUS, prometheus.scrape()),
                      context.blockingTaskExecutor()));
    }
  }

  private HttpResponse ready() {
    if (readiness.isHealthy()) {
      return HttpResponse.ofJson(Status.READY);
    }
    throw new ProblemException(
        HttpProblem.of(503, "not-ready", "This server is not ready").detail(readiness.why()));
  }

  /** What is answered when all is well. */
  private record Status(String status) {
    static final Status UP = new Status("up");
    static final Status READY = new Status("ready");
  }

  @Override
  public void close() {
    readiness.close();
    garbage.close();
  }
}
