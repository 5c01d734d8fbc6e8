package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.aggregator.BatchResult;
import dev.millrace.regions.CycleReport;
import dev.millrace.worker.regions.RegionMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HealthServerTest {
  private static final CycleReport WINDOW =
      new CycleReport(
          "eu",
          false,
          new CycleReport.Work(7, 14, 1, 0, 2, true),
          new CycleReport.SnapshotTraffic(
              1, 500, 300, new TreeMap<>(Map.of("ap", Long.MAX_VALUE, "us", 4_000L))),
          new CycleReport.RegionRights(
              new TreeMap<>(Map.of("eu", 600_000L, "us", 400_000L)), 10, 20, 30, 0, 0),
          12);

  /** A row of a table whose first cell is one or more names of metrics. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]+`) \\|");

  private static final Pattern NAME = Pattern.compile("`([^`{]+)[^`]*`");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\S+) (\\S+)$");

  private final AtomicLong clock = new AtomicLong(1_000_000);
  private final AtomicBoolean running = new AtomicBoolean(true);
  private final PrometheusMeterRegistry meters =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final WorkerMetrics metrics = new WorkerMetrics(meters, clock::get);
  private final RegionMetrics regions = new RegionMetrics(meters);
  private HealthServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        HealthServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            meters,
            metrics,
            running::get,
            Duration.ofSeconds(10),
            regions);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void health_withoutAShard_isUp() throws Exception {
    HttpResponse<String> response = get("/health");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body())
        .startsWith("{\"status\":\"up\",\"shards\":0,\"lagMs\":0,\"lastBatch\":0");
  }

  @Test
  void health_lagGrowsWhileNothingIsRead_saysBehind() throws Exception {
    metrics.onShardTaken("shard-1");
    metrics.onRead("shard-1", 3, clock.get() - 4_000);
    clock.addAndGet(2_000);
    assertThat(get("/health").body()).contains("\"status\":\"up\"").contains("\"lagMs\":6000");

    clock.addAndGet(5_000);
    HttpResponse<String> response = get("/health");
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.body()).contains("\"status\":\"behind\"").contains("\"lagMs\":11000");

    metrics.onRead("shard-1", 0, 0);
    assertThat(get("/health").body()).contains("\"status\":\"up\"").contains("\"lagMs\":0");
    clock.addAndGet(60_000);
    metrics.onShardLeft("shard-1");
    assertThat(get("/health").body()).contains("\"status\":\"up\"").contains("\"shards\":0");
  }

  @Test
  void health_stoppedOrGivenUp_isNotUp() throws Exception {
    running.set(false);
    assertThat(get("/health").statusCode()).isEqualTo(503);
    assertThat(get("/health").body()).contains("\"status\":\"stopped\"");
    metrics.onGivenUp("shard-1", new IllegalStateException());
    assertThat(get("/health").body()).contains("\"status\":\"failed\"");
  }

  @Test
  void metrics_afterABatch_areAsPrometheusReadsThem() throws Exception {
    metrics.onBatch(new BatchResult(7, 3, 2, 1, 1, 0, null, null), 5);
    assertThat(get("/metrics").body())
        .contains("# TYPE millrace_aggregator_lag_ms gauge\nmillrace_aggregator_lag_ms 0.0\n")
        .contains("millrace_aggregator_last_batch 7.0\n")
        .contains("# TYPE millrace_aggregator_applied_total counter\n")
        .contains("millrace_aggregator_applied_total 3.0\n")
        .contains("millrace_aggregator_duplicates_total 2.0\n")
        .contains("millrace_aggregator_poison_total 1.0\n")
        .contains("millrace_aggregator_resized_total 0.0\n");
    assertThat(get("/other").statusCode()).isEqualTo(404);
  }

  @Test
  void metrics_afterAWindow_tellOfTheExchange() throws Exception {
    assertThat(get("/health").body()).doesNotContain("regions");
    regions.onWindow(WINDOW);
    regions.onRefusedRow("SHRUNK", "less");
    assertThat(get("/metrics").body())
        .contains(
            "# TYPE millrace_regions_windows_total counter\nmillrace_regions_windows_total 1.0\n")
        .contains("millrace_regions_mean_share_ppm{region=\"us\"} 400000.0\n")
        .contains("millrace_regions_snapshot_age_ms{region=\"us\"} 4000.0\n")
        .doesNotContain("snapshot_age_ms{region=\"ap\"}")
        .contains("millrace_regions_published_bytes_total 300.0\n")
        .contains("millrace_regions_read_bytes_total 500.0\n")
        .contains("millrace_regions_in_flight_millitokens 20.0\n")
        .contains("millrace_regions_stranded_ppm 30.0\n")
        .contains("millrace_regions_operators_pairs 2.0\n")
        .contains("millrace_regions_over_admission_bound_ppm 0.0\n")
        .contains("millrace_regions_refused_total{reason=\"row_shrunk\"} 1.0\n")
        .contains("millrace_regions_refused_total{reason=\"snapshot_too_large\"} 0.0\n");
    assertThat(get("/health").body())
        .contains("\"regions\":{\"region\":\"eu\"")
        .contains("\"agesMs\":{\"ap\":null,\"us\":4000}");
  }

  @Test
  void metrics_comparedWithTheDocuments_areThoseAndNoOthers() throws Exception {
    regions.onWindow(WINDOW);
    Set<String> documented = new TreeSet<>();
    for (String field : names("operate/operations.md", "as `millrace_aggregator_…`:")) {
      String snake = field.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
      boolean gauge = Set.of("shards", "lagMs", "lastBatch").contains(field);
      documented.add("millrace_aggregator_" + snake + (gauge ? " gauge" : "_total counter"));
    }
    for (String name : names("guide/regions.md", "| metric | JSON |")) {
      documented.add(
          "millrace_regions_" + name + (name.endsWith("_total") ? " counter" : " gauge"));
    }

    Set<String> told =
        TYPE.matcher(get("/metrics").body())
            .results()
            .map(type -> type.group(1) + " " + type.group(2))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(told).isEqualTo(documented);
  }

  /** The names in the first column of the first table after {@code mark}. */
  private static List<String> names(String document, String mark) throws IOException {
    String text = Files.readString(Path.of("../../docs", document));
    String table = text.substring(text.indexOf("| ", text.indexOf(mark))).split("\n\n", 2)[0];
    List<String> names = new ArrayList<>();
    for (MatchResult row : ROW.matcher(table).results().toList()) {
      for (MatchResult name : NAME.matcher(row.group(1)).results().toList()) {
        String written = name.group(1);
        names.add(
            written.startsWith("…")
                ? names.get(names.size() - 1).replaceFirst("_[a-z]+$", written.substring(1))
                : written);
      }
    }
    return names;
  }

  private HttpResponse<String> get(String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
