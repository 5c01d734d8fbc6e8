package dev.millrace.lambda;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Lambda's side of the Runtime API: gives a process its invocations and takes the answers. */
final class RuntimeApi implements AutoCloseable {
  private static final String PREFIX = "/2018-06-01/runtime/";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  RuntimeApi() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
    server.setExecutor(threads);
    server.createContext(PREFIX, this::handle);
    server.start();
  }

  String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /** Invokes the function and waits for what it says, null when it does not in time. */
  @Nullable String invoke(String event, long timeoutSeconds) throws InterruptedException {
    events.add(event);
    return answers.poll(timeoutSeconds, TimeUnit.SECONDS);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (exchange.getRequestURI().getPath().endsWith("/invocation/next")) {
        byte[] event = events.take().getBytes(StandardCharsets.UTF_8);
        // without it the runtime's native client crashes
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Lambda-Runtime-Aws-Request-Id", "request");
        exchange
            .getResponseHeaders()
            .set("Lambda-Runtime-Deadline-Ms", String.valueOf(Long.MAX_VALUE / 1_000));
        exchange
            .getResponseHeaders()
            .set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:us-east-1:1:function:f");
        exchange.sendResponseHeaders(200, event.length);
        exchange.getResponseBody().write(event);
      } else {
        answers.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        exchange.sendResponseHeaders(202, -1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
