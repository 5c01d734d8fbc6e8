package dev.millrace.worker;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.regions.CycleReport;
import dev.millrace.worker.regions.RegionMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP server of a worker: {@code /health} as JSON, with 503 instead of 200 when the worker
 * should be replaced, and {@code /metrics} in the format of Prometheus.
 */
public final class HealthServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int BACKLOG = 16;
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int UNAVAILABLE = 503;
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final HttpServer server;

  private HealthServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Listens on {@code address}; port 0 is any that is free.
   *
   * @param meters where {@code metrics} and {@code regions} are registered
   * @param running whether the worker is at work
   * @param maxLag the lag beyond which the worker is not healthy
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
    HttpServer server = HttpServer.create(address, BACKLOG);
    server.createContext(
        "/health",
        exchange -> {
          boolean behind = metrics.lagMs() > maxLag.toMillis();
          String status =
              metrics.hasGivenUp()
                  ? "failed"
                  : !running.getAsBoolean() ? "stopped" : behind ? "behind" : "up";
          Map<String, Object> fields = new LinkedHashMap<>();
          fields.put("status", status);
          fields.putAll(metrics.fields());
          CycleReport window = regions == null ? null : regions.last();
          if (window != null) {
            fields.put("regions", window.fields());
          }
          int code = status.equals("up") ? OK : UNAVAILABLE;
          answer(exchange, code, "application/json", JSON.writeValueAsString(fields) + "\n");
        });
    server.createContext("/metrics", exchange -> answer(exchange, OK, PROMETHEUS, meters.scrape()));
    server.createContext("/", exchange -> answer(exchange, NOT_FOUND, "text/plain", "not found\n"));
    server.start(); // answers on its own thread, one request at a time
    return new HealthServer(server);
  }

  /** The port that it listens on. */
  public int port() {
    return server.getAddress().getPort();
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

  @Override
  public void close() {
    server.stop(0);
  }
}
