package dev.millrace.server.observability;

import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.server.Limiters;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.NetworkSettings;
import dev.millrace.server.ServerLife;
import dev.millrace.server.ServerParts;
import dev.millrace.server.envoy.EnvoyFeature;
import dev.millrace.server.http.DataPlane;
import dev.millrace.server.http.LeaseSettings;
import dev.millrace.server.security.LocalGuard;
import dev.millrace.testkit.InMemoryUsageStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** A server on which everything is observed. */
final class Observed implements AutoCloseable {
  private static final Path MAPPING =
      Path.of("src/test/resources/dev/millrace/server/envoy/mapping.yaml");

  private final PrometheusMeterRegistry meters =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ObservabilityFeature observability;
  private final ServerLife life = new ServerLife();
  private final Limiters limiters;
  private final MillraceServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  <S extends BlockingStore & AsyncStore> Observed(S store, OpenTelemetry telemetry) {
    Admin admin = Admin.of(store, AdminOptions.of("test"));
    Readiness readiness =
        new Readiness(
            () -> admin.namespaces().get("default"),
            () -> life.state() == ServerLife.State.READY,
            Duration.ofSeconds(1),
            Duration.ofMillis(50));
    this.observability = new ObservabilityFeature(meters, InstantSource.system(), readiness);
    EnvoyFeature envoy = new EnvoyFeature(MAPPING, readiness);
    TracedStore traced = TracedStore.over(store, telemetry);
    this.limiters =
        new Limiters(
            namespace -> {
              LimiterOptions.Builder options = LimiterOptions.builder().namespace(namespace);
              observability.listeners(namespace).forEach(options::listener);
              return RateLimiter.create(envoy.over(namespace, traced), options.build());
            });
    this.server =
        MillraceServer.start(
            NetworkSettings.loopback(0),
            new ServerParts(
                limiters,
                admin,
                new InMemoryUsageStore(),
                new LocalGuard(),
                meters,
                telemetry,
                InstantSource.system()),
            life,
            List.of(new DataPlane(LeaseSettings.defaults(), life), observability, envoy));
  }

  MeterRegistry meters() {
    return meters;
  }

  Limiters limiters() {
    return limiters;
  }

  MillraceServer server() {
    return server;
  }

  LiveSnapshot live() {
    return observability.live();
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    URI uri = server.uri().resolve(path);
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    server.close();
  }
}
