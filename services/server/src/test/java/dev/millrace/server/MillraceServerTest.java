package dev.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpResponse;
import dev.millrace.server.json.JsonReader;
import dev.millrace.server.json.JsonResponses;
import dev.millrace.server.security.Scope;
import dev.millrace.testkit.InMemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class MillraceServerTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final ServerParts parts = TestParts.on(new InMemoryStore());
  private final AtomicBoolean finished = new AtomicBoolean();
  private final CompletableFuture<HttpResponse> held = new CompletableFuture<>();

  /** Answers at once, later, by failing, or with what it was sent. */
  private final Feature feature =
      new Feature() {
        @Override
        public void addTo(com.linecorp.armeria.server.ServerBuilder server, ServerParts with) {
          var guarded = with.guard().requiring(Scope.READ);
          server
              .route()
              .get("/hello")
              .decorator(guarded)
              .build((context, request) -> JsonResponses.ok(Map.of("hello", "you")));
          server.route().get("/held").build((context, request) -> HttpResponse.of(held));
          server
              .route()
              .get("/bug")
              .build(
                  (context, request) -> {
                    throw new IllegalStateException("a secret of the inside");
                  });
          server
              .route()
              .post("/echo")
              .decorator(guarded)
              .build(
                  (context, request) ->
                      HttpResponse.of(
                          request
                              .aggregate()
                              .thenApply(JsonReader::required)
                              .thenApply(
                                  fields -> {
                                    String text = fields.text("text");
                                    fields.done();
                                    return JsonResponses.ok(Map.of("text", text));
                                  })));
        }

        @Override
        public void close() {
          finished.set(true);
        }
      };

  @Test
  void start_onAnyPort_servesItsFeatures() throws Exception {
    try (MillraceServer server = start(NetworkSettings.loopback(0))) {
      assertThat(get(server, "hello").body()).isEqualTo("{\"hello\":\"you\"}");
      assertThat(server.state()).isEqualTo(ServerLife.State.READY);
    }
    assertThat(finished).isTrue();
  }

  @Test
  void start_portTaken_failsAndFinishesItsFeatures() {
    try (MillraceServer first = start(NetworkSettings.loopback(0))) {
      finished.set(false);
      NetworkSettings taken = NetworkSettings.loopback(first.uri().getPort());
      assertThatThrownBy(() -> start(taken))
          .isInstanceOf(ServerException.class)
          .hasMessageContaining("cannot listen");
      assertThat(finished).isTrue();
    }
  }

  @Test
  void answer_toWhatNobodyKnows_isAProblem() throws Exception {
    try (MillraceServer server = start(NetworkSettings.loopback(0))) {
      java.net.http.HttpResponse<String> answer = get(server, "nowhere");
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
      assertThat(answer.body()).contains("\"type\":\"urn:millrace:problem:not-found\"");
    }
  }

  @Test
  void answer_toABug_hasAnIdAndNoSecret() throws Exception {
    try (MillraceServer server = start(NetworkSettings.loopback(0))) {
      java.net.http.HttpResponse<String> answer = get(server, "bug");
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).contains("errorId").doesNotContain("secret", "Exception", "at ");
    }
  }

  @Test
  void body_tooLong_isRefusedWithAndWithoutALength() throws Exception {
    try (MillraceServer server = start(NetworkSettings.loopback(0))) {
      String text = "{\"text\":\"" + "x".repeat(70_000) + "\"}";
      assertThat(post(server, HttpRequest.BodyPublishers.ofString(text))).isEqualTo(413);
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      HttpRequest.BodyPublisher chunked =
          HttpRequest.BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(bytes));
      assertThat(post(server, chunked)).isEqualTo(413);
      assertThat(post(server, HttpRequest.BodyPublishers.ofString("{\"text\":\"x\"}")))
          .isEqualTo(200);
    }
  }

  @Test
  void head_tooLong_isRefused() throws Exception {
    try (MillraceServer server = start(NetworkSettings.loopback(0))) {
      String head = "GET /hello HTTP/1.1\r\nHost: localhost\r\n";
      String flood = "X-Flood: " + "y".repeat(1_000) + "\r\n";
      String answer = raw(server, head + flood.repeat(40) + "\r\n");
      assertThat(answer).startsWith("HTTP/1.1 431").contains("urn:millrace:problem:");
      assertThat(get(server, "hello").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void requests_tooManyAtATime_areRefusedAndCounted() throws Exception {
    try (MillraceServer server =
        start(settings(Duration.ofSeconds(30), Duration.ofSeconds(10), 1))) {
      var first = HTTP.sendAsync(request(server, "held").build(), BodyHandlers.ofString());
      Await.until(
          "the first is under way",
          () -> parts.meters().get("millrace.server.in.flight").gauge().value() == 1);
      java.net.http.HttpResponse<String> second = get(server, "hello");
      assertThat(second.statusCode()).isEqualTo(503);
      assertThat(second.body()).contains("overloaded");
      assertThat(second.headers().firstValue("retry-after")).hasValue("1");
      assertThat(parts.meters().counter("millrace.server.overloaded").count()).isEqualTo(1);
      held.complete(HttpResponse.of(200));
      assertThat(first.get().statusCode()).isEqualTo(200);
    }
  }

  @Test
  void body_neverComplete_isTimedOut() throws Exception {
    NetworkSettings impatient = settings(Duration.ofMillis(300), Duration.ofSeconds(60), 4_096);
    try (MillraceServer server = start(impatient)) {
      String answer =
          raw(
              server,
              "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                  + "Content-Length: 100\r\n\r\n{");
      assertThat(answer).startsWith("HTTP/1.1 503").contains("problem:timeout");
    }
  }

  @Test
  void heads_slow_areClosedWhileOthersAreServed() throws Exception {
    int many = 200;
    NetworkSettings impatient = settings(Duration.ofSeconds(30), Duration.ofMillis(500), 4_096);
    List<Socket> slow = new ArrayList<>();
    try (MillraceServer server = start(impatient)) {
      for (int i = 0; i < many; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort());
        socket.getOutputStream().write("GET /hello HT".getBytes(StandardCharsets.US_ASCII));
        slow.add(socket);
      }
      assertThat(get(server, "hello").statusCode()).isEqualTo(200);
      Await.until(
          "the slow ones are closed",
          () -> parts.meters().counter("millrace.server.slow.heads").count() == many);
      assertThat(get(server, "hello").statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void host_ofElsewhere_isRefused() throws Exception {
    try (MillraceServer server = start(NetworkSettings.loopback(0))) {
      String answer = raw(server, "GET /hello HTTP/1.1\r\nHost: evil.example\r\n\r\n");
      assertThat(answer).startsWith("HTTP/1.1 403").contains("not-local");
      assertThat(
              HTTP.send(
                      request(server, "echo")
                          .header("Origin", "https://evil.example")
                          .header("Content-Type", "application/json")
                          .POST(HttpRequest.BodyPublishers.ofString("{\"text\":\"x\"}"))
                          .build(),
                      BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(403);
    }
  }

  private static NetworkSettings settings(Duration request, Duration head, int maxInFlight) {
    NetworkSettings usual = NetworkSettings.loopback(0);
    return new NetworkSettings(
        usual.address(), null, request, head, usual.idleTimeout(), 10_000, maxInFlight);
  }

  private MillraceServer start(NetworkSettings settings) {
    return MillraceServer.start(settings, parts, new ServerLife(), List.of(feature));
  }

  private static HttpRequest.Builder request(MillraceServer server, String path) {
    return HttpRequest.newBuilder(
        URI.create("http://127.0.0.1:" + server.uri().getPort() + "/" + path));
  }

  private static java.net.http.HttpResponse<String> get(MillraceServer server, String path)
      throws IOException, InterruptedException {
    return HTTP.send(request(server, path).build(), BodyHandlers.ofString());
  }

  private static int post(MillraceServer server, HttpRequest.BodyPublisher body)
      throws IOException, InterruptedException {
    return HTTP.send(
            request(server, "echo").header("Content-Type", "application/json").POST(body).build(),
            BodyHandlers.ofString())
        .statusCode();
  }

  /** Sends exactly these bytes and returns the beginning of what comes back. */
  private static String raw(MillraceServer server, String bytes) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(bytes.getBytes(StandardCharsets.UTF_8));
      out.flush();
      InputStream in = socket.getInputStream();
      StringBuilder answer = new StringBuilder();
      byte[] buffer = new byte[4_096];
      while (!answer.toString().contains("}")) {
        int read = in.read(buffer);
        if (read < 0) {
          break;
        }
        answer.append(new String(buffer, 0, read, StandardCharsets.UTF_8));
      }
      return answer.toString();
    }
  }
}
