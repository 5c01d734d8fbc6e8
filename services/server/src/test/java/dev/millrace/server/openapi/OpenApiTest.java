package dev.millrace.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import dev.millrace.server.Feature;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.NetworkSettings;
import dev.millrace.server.ServerLife;
import dev.millrace.server.ServerParts;
import dev.millrace.server.TestParts;
import dev.millrace.server.adminapi.AdminApi;
import dev.millrace.server.dashboard.Dashboard;
import dev.millrace.server.http.DataPlane;
import dev.millrace.server.http.LeaseSettings;
import dev.millrace.server.observability.LiveSnapshot;
import dev.millrace.server.observability.ObservabilityFeature;
import dev.millrace.server.observability.Readiness;
import dev.millrace.testkit.InMemoryStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OpenApiTest {
  /** All but what speaks gRPC. */
  private static final List<Feature> FEATURES =
      List.of(
          new ObservabilityFeature(
              new SimpleMeterRegistry(),
              InstantSource.system(),
              Readiness.of(TestParts.on(new InMemoryStore()).admin(), new ServerLife())),
          new AdminApi(
              () -> new LiveSnapshot(0, List.of(), 0, 0, List.of(), List.of()), namespace -> null),
          new DataPlane(LeaseSettings.defaults(), new ServerLife()),
          new OpenApi(),
          new Dashboard());

  @Test
  void document_operations_areThoseThatAreServed() {
    Set<String> described = new TreeSet<>(ApiDocument.read().operations());

    assertThat(served()).containsExactlyInAnyOrderElementsOf(described);
  }

  /** The parts of a server that Prometheus scrapes. */
  private static ServerParts scraped(ServerParts parts) {
    return new ServerParts(
        parts.limiters(),
        parts.admin(),
        parts.usage(),
        parts.guard(),
        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
        parts.telemetry(),
        parts.clock());
  }

  /** The routes as Armeria knows them; files of the page stand for one. */
  private static Set<String> served() {
    ServerBuilder builder = Server.builder().http(0);
    ServerParts parts = scraped(TestParts.on(new InMemoryStore()));
    FEATURES.forEach(feature -> feature.addTo(builder, parts));
    Set<String> served = new TreeSet<>();
    try (Server server = builder.build()) {
      server
          .config()
          .serviceConfigs()
          .forEach(
              config ->
                  config
                      .route()
                      .methods()
                      .forEach(
                          method ->
                              served.add(
                                  method
                                      + " "
                                      + config
                                          .route()
                                          .patternString()
                                          .replaceFirst(
                                              "^/assets/[0-9a-f]+/.*", "/assets/{hash}/{name}")
                                          .replaceAll(":\\*?(\\w+)", "{$1}"))));
    }
    parts.limiters().close();
    FEATURES.forEach(Feature::close);
    return served;
  }

  @Test
  void document_served_isJsonOfVersion31() throws Exception {
    try (MillraceServer server =
        MillraceServer.start(
            NetworkSettings.loopback(0),
            TestParts.on(new InMemoryStore()),
            new ServerLife(),
            List.of(new OpenApi()))) {
      String body =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(server.uri().resolve("/openapi.json")).build(),
                  BodyHandlers.ofString())
              .body();
      JsonNode document = new ObjectMapper().readTree(body);

      assertThat(document.get("openapi").asText()).isEqualTo("3.1.0");
      assertThat(document.get("paths")).hasSizeGreaterThan(30);
    }
  }
}
