package dev.millrace.tests.support;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Stands between a client and DynamoDB and does what networks do: loses answers after the write was
 * made, loses requests, stalls, and answers as a throttled table does. Speaks the real protocol on
 * both sides.
 */
public final class FaultProxy implements AutoCloseable {
  /** What happens to one request. */
  public enum Fault {
    NONE,
    /** The request is carried out and its answer is lost. */
    DROP_REPLY,
    /** The request never arrives. */
    DROP_REQUEST,
    /** DynamoDB says that the partition is too busy; nothing is carried out. */
    THROTTLE,
    /** DynamoDB fails inside after it has carried the request out. */
    INTERNAL_ERROR,
    /** Nothing comes back until the proxy is closed; nothing is carried out. */
    STALL,
    /** The request is carried out, then nothing comes back until the proxy is closed. */
    STALL_REPLY
  }

  static {
    // Otherwise the JDK's server and a client's delayed acknowledgement cost 40 ms an answer.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private static final Set<String> HOP_HEADERS =
      Set.of("connection", "content-length", "host", "transfer-encoding", "upgrade", "expect");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI target;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final AtomicInteger writes = new AtomicInteger();
  private volatile Function<String, Fault> faults = operation -> Fault.NONE;

  public FaultProxy(URI target) throws IOException {
    this.target = target;
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Decides, for each operation by its name, what happens. */
  public void faults(Function<String, Fault> decide) {
    this.faults = decide;
  }

  /** The next write meets {@code fault}, everything else nothing. */
  public void nextWrite(Fault fault) {
    AtomicInteger left = new AtomicInteger(1);
    faults(op -> isWrite(op) && left.getAndDecrement() > 0 ? fault : Fault.NONE);
  }

  public void heal() {
    faults(operation -> Fault.NONE);
  }

  /** Writes that arrived here, whatever became of them. */
  public int writes() {
    return writes.get();
  }

  public static boolean isWrite(String operation) {
    return operation.equals("UpdateItem") || operation.equals("PutItem");
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String action = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    String operation = action == null ? "" : action.substring(action.indexOf('.') + 1);
    if (isWrite(operation)) {
      writes.incrementAndGet();
    }
    Fault fault = faults.apply(operation);
    try {
      switch (fault) {
        case NONE -> answer(exchange, forward(exchange, body));
        case DROP_REPLY -> forward(exchange, body);
        case DROP_REQUEST -> {}
        case THROTTLE -> answer(exchange, 400, error("ProvisionedThroughputExceededException"));
        case INTERNAL_ERROR -> {
          forward(exchange, body);
          answer(exchange, 500, error("InternalServerError"));
        }
        case STALL -> closing.await();
        case STALL_REPLY -> {
          forward(exchange, body);
          closing.await();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      exchange.close(); // without an answer, this breaks the connection
    }
  }

  private HttpResponse<byte[]> forward(HttpExchange exchange, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target).POST(HttpRequest.BodyPublishers.ofByteArray(body));
    for (Map.Entry<String, List<String>> header : exchange.getRequestHeaders().entrySet()) {
      if (!HOP_HEADERS.contains(header.getKey().toLowerCase(java.util.Locale.ROOT))) {
        header.getValue().forEach(value -> request.header(header.getKey(), value));
      }
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static void answer(HttpExchange exchange, HttpResponse<byte[]> response)
      throws IOException {
    response
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (!HOP_HEADERS.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                values.forEach(value -> exchange.getResponseHeaders().add(name, value));
              }
            });
    answer(exchange, response.statusCode(), response.body());
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  private static byte[] error(String code) {
    return ("{\"__type\":\"com.amazonaws.dynamodb.v20120810#"
            + code
            + "\",\"message\":\"as told\"}")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
