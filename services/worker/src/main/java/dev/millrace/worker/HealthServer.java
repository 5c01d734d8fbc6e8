package dev.millrace.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.regions.sync.CycleReport;
import dev.millrace.worker.regions.RegionMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Says over HTTP how a worker is: {@code /health} as JSON, with 503 instead of 200 when it should
 * be replaced, and {@code /metrics} as Prometheus reads them.
 */
public final class HealthServer implements AutoCloseable {
  private static final int BACKLOG = 16;
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int UNAVAILABLE = 503;

  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final HttpServer server;
  private final ExecutorService thread = Executors.newSingleThreadExecutor(HealthServer::daemon);
  private final PrometheusMeterRegistry meters;
  private final WorkerMetrics metrics;
  private final BooleanSupplier running;
  private final long maxLagMs;
  private final @Nullable RegionMetrics regions;

  private HealthServer(
      HttpServer server,
      PrometheusMeterRegistry meters,
      WorkerMetrics metrics,
      BooleanSupplier running,
      Duration maxLag,
      @Nullable RegionMetrics regions) {
    this.regions = regions;
    this.server = server;
    this.meters = meters;
    this.metrics = metrics;
    this.running = running;
    this.maxLagMs = maxLag.toMillis();
    server.setExecutor(thread);
    server.createContext("/health", this::health);
    server.createContext("/metrics", this::metrics);
    server.createContext("/", exchange -> answer(exchange, NOT_FOUND, "text/plain", "not found\n"));
    server.start();
  }

  /**
   * Listens on {@code address}; port 0 is any that is free.
   *
   * @param meters where {@code metrics} and {@code regions} are registered
   * @param running whether the worker is at work
   * @param maxLag how far behind it may be and still be called healthy
   * @param regions of the exchange between regions, null when it takes no part
   */
  public static HealthServer start(
      InetSocketAddress address,
      PrometheusMeterRegistry meters,
      WorkerMetrics metrics,
      BooleanSupplier running,
      Duration maxLag,
      @Nullable RegionMetrics regions)
      throws IOException {
    return new HealthServer(
        HttpServer.create(address, BACKLOG), meters, metrics, running, maxLag, regions);
  }

  /** On which port it listens. */
  public int port() {
    return server.getAddress().getPort();
  }

  private void health(HttpExchange exchange) throws IOException {
    String status =
        metrics.hasGivenUp()
            ? "failed"
            : !running.getAsBoolean() ? "stopped" : metrics.lagMs() > maxLagMs ? "behind" : "up";
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("status", status);
    fields.putAll(metrics.fields());
    CycleReport window = regions == null ? null : regions.last();
    if (window != null) {
      fields.put("regions", window.fields());
    }
    answer(
        exchange,
        status.equals("up") ? OK : UNAVAILABLE,
        "application/json",
        Fields.json(fields) + "\n");
  }

  private void metrics(HttpExchange exchange) throws IOException {
    answer(exchange, OK, PROMETHEUS, meters.scrape());
  }

  private static void answer(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    try (exchange) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(code, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "millrace-health");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void close() {
    server.stop(0);
    thread.shutdownNow();
  }
}
