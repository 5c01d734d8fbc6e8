package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.aggregator.BatchResult;
import dev.millrace.regions.ledger.Receipt;
import dev.millrace.regions.sync.CycleReport;
import dev.millrace.regions.sync.Rights;
import dev.millrace.regions.sync.SyncListener;
import dev.millrace.worker.regions.RegionMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HealthServerTest {
  private final AtomicLong clock = new AtomicLong(1_000_000);
  private final AtomicBoolean running = new AtomicBoolean(true);
  private final WorkerMetrics metrics = new WorkerMetrics(clock::get);
  private final RegionMetrics regions = new RegionMetrics(SyncListener.NONE);
  private HealthServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        HealthServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
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
        .contains("# TYPE millrace_aggregator_lag_ms gauge\nmillrace_aggregator_lag_ms 0\n")
        .contains("millrace_aggregator_last_batch 7\n")
        .contains("# TYPE millrace_aggregator_applied_total counter\n")
        .contains("millrace_aggregator_applied_total 3\n")
        .contains("millrace_aggregator_duplicates_total 2\n")
        .contains("millrace_aggregator_poison_total 1\n")
        .contains("millrace_aggregator_resized_total 0\n");
    assertThat(get("/other").statusCode()).isEqualTo(404);
  }

  @Test
  void metrics_afterAWindow_tellOfTheExchange() throws Exception {
    assertThat(get("/health").body()).doesNotContain("regions");
    regions.onWindow(
        new CycleReport(
            "eu",
            false,
            new CycleReport.Work(7, 14, 1, 0, 2, true),
            new CycleReport.Exchanged(
                1, 500, 300, new TreeMap<>(Map.of("ap", Long.MAX_VALUE, "us", 4_000L))),
            new Rights(new TreeMap<>(Map.of("eu", 600_000L, "us", 400_000L)), 10, 20, 30, 0, 0),
            12));
    regions.onRefusedRow(new Receipt.Refused(Receipt.Reason.SHRUNK, "less"));
    assertThat(get("/metrics").body())
        .contains(
            "# TYPE millrace_regions_windows_total counter\nmillrace_regions_windows_total 1\n")
        .contains("millrace_regions_mean_share_ppm{region=\"us\"} 400000\n")
        .contains("millrace_regions_snapshot_age_ms{region=\"us\"} 4000\n")
        .doesNotContain("snapshot_age_ms{region=\"ap\"}")
        .contains("millrace_regions_published_bytes_total 300\n")
        .contains("millrace_regions_read_bytes_total 500\n")
        .contains("millrace_regions_in_flight_millitokens 20\n")
        .contains("millrace_regions_stranded_ppm 30\n")
        .contains("millrace_regions_operators_pairs 2\n")
        .contains("millrace_regions_over_admission_bound_ppm 0\n")
        .contains("millrace_regions_refused_total{reason=\"row_shrunk\"} 1\n")
        .contains("millrace_regions_refused_total{reason=\"snapshot_too_large\"} 0\n");
    assertThat(get("/health").body())
        .contains("\"regions\":{\"region\":\"eu\"")
        .contains("\"agesMs\":{\"ap\":null,\"us\":4000}");
  }

  private HttpResponse<String> get(String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
