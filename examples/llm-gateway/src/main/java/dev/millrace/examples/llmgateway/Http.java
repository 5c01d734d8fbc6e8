package dev.millrace.examples.llmgateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The JDK's own server, for the provider and for the gateway: on this machine only. */
final class Http implements AutoCloseable {
  static final String CHAT_PATH = "/v1/chat/completions";
  static final String JSON_TYPE = "application/json";
  static final String STREAM_TYPE = "text/event-stream";
  static final ObjectMapper JSON = new ObjectMapper();

  private static final int MAX_BODY_BYTES = 1 << 20;
  private static final int THREADS = 32;
  private static final long STOP_SECONDS = 60;

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final HttpServer server;

  /** Answers at {@link #CHAT_PATH}; port 0 is any that is free. */
  Http(int port, HttpHandler chat) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    server.createContext(
        CHAT_PATH,
        exchange -> {
          try (exchange) {
            chat.handle(exchange);
          }
        });
    server.start();
  }

  URI chat() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + CHAT_PATH);
  }

  /**
   * The body of a request.
   *
   * @throws IllegalArgumentException if it is no JSON object, or too long
   */
  static ObjectNode readObject(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
    if (body.length > MAX_BODY_BYTES) {
      throw new IllegalArgumentException("body: longer than " + MAX_BODY_BYTES + " bytes");
    }
    try {
      if (JSON.readTree(body) instanceof ObjectNode object) {
        return object;
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("body: " + e.getOriginalMessage(), e);
    }
    throw new IllegalArgumentException("body: must be a JSON object");
  }

  static void answer(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** Lets what is under way come to its end, also for callers who have hung up. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.stop(0);
  }
}
