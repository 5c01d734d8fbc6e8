package dev.millrace.server.observability;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServerBuilder;
import dev.millrace.ConfigCacheStats;
import dev.millrace.LimiterListener;
import dev.millrace.adapters.micrometer.LimiterMeters;
import dev.millrace.server.Feature;
import dev.millrace.server.Limiters;
import dev.millrace.server.ServerParts;
import dev.millrace.server.json.ProblemException;
import dev.millrace.server.security.Scope;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * {@code /metrics}, {@code /health} and {@code /ready}, and the metrics and traces of every
 * request. Health and readiness need no key, because probes have none, and reveal nothing.
 */
public final class ObservabilityFeature implements Feature {
  private static final MediaType PROMETHEUS =
      MediaType.parse("text/plain; version=0.0.4; charset=utf-8");

  private final LimiterMeters counters;
  private final LiveStats live;
  private final GroupSpans spans = new GroupSpans();
  private final Readiness readiness;
  private final JvmGcMetrics garbage = new JvmGcMetrics();

  /** Counts in {@code meters}; closes {@code readiness}. */
  public ObservabilityFeature(MeterRegistry meters, InstantSource clock, Readiness readiness) {
    this.counters = new LimiterMeters(meters);
    this.live = new LiveStats(clock);
    this.readiness = readiness;
  }

  /** The listeners that the limiter of {@code namespace} must have. */
  public List<LimiterListener> listeners(String namespace) {
    return List.of(counters, live.listener(namespace), spans);
  }

  public LiveSnapshot live() {
    return live.snapshot();
  }

  @Override
  public void addTo(ServerBuilder server, ServerParts parts) {
    MeterRegistry meters = parts.meters();
    bind(parts.limiters(), meters);
    Gauge.builder("millrace.ready", readiness, now -> now.isHealthy() ? 1 : 0).register(meters);
    garbage.bindTo(meters);
    new JvmMemoryMetrics().bindTo(meters);
    new JvmThreadMetrics().bindTo(meters);
    new ProcessorMetrics().bindTo(meters);
    new UptimeMetrics().bindTo(meters);
    server.decorator(new RequestObserver(parts.telemetry(), meters, live)::serve);
    server
        .route()
        .get("/health")
        .build((context, request) -> HttpResponse.ofJson(Map.of("status", "up")));
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
      return HttpResponse.ofJson(Map.of("status", "ready"));
    }
    throw ProblemException.of(503, "not-ready", "This server is not ready")
        .detail(readiness.reason());
  }

  /** Metrics of the caches of all limiters together, read when they are scraped. */
  private static void bind(Limiters limiters, MeterRegistry meters) {
    Gauge.builder("millrace.limiters", limiters, all -> all.all().size()).register(meters);
    Gauge.builder("millrace.limiters.max", () -> Limiters.MAX_NAMESPACES).register(meters);
    Gauge.builder(
            "millrace.config.cache.records", limiters, all -> sum(all, ConfigCacheStats::size))
        .register(meters);
    Map<String, ToLongFunction<ConfigCacheStats>> outcomes =
        Map.of(
            "hit", ConfigCacheStats::hits,
            "negative", ConfigCacheStats::negativeHits,
            "miss", ConfigCacheStats::misses);
    outcomes.forEach(
        (outcome, count) ->
            FunctionCounter.builder(
                    "millrace.config.cache.requests", limiters, all -> sum(all, count))
                .tag("outcome", outcome)
                .register(meters));
    FunctionCounter.builder(
            "millrace.config.cache.evictions",
            limiters,
            all -> sum(all, ConfigCacheStats::evictions))
        .register(meters);
  }

  private static double sum(Limiters limiters, ToLongFunction<ConfigCacheStats> count) {
    return limiters.all().values().stream()
        .mapToLong(limiter -> count.applyAsLong(limiter.configCache()))
        .sum();
  }

  @Override
  public void close() {
    readiness.close();
    garbage.close();
  }
}
