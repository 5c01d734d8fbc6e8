package dev.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.MillraceServer;
import dev.millrace.server.ServerParts;
import dev.millrace.server.TestParts;
import dev.millrace.server.TestServers;
import dev.millrace.server.Web;
import dev.millrace.testkit.InMemoryStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hostile input gets the documented problem, reveals nothing of the inside, and changes nothing.
 */
class HostileInputTest {
  private static final String PATH = "/v1/namespaces/default/acquire";
  private static final String GOOD =
      "{\"entity\":\"a\",\"resource\":\"r\",\"consume\":{\"rpm\":1},"
          + "\"limits\":[{\"name\":\"rpm\",\"rate\":10,\"per\":\"PT1H\"}],\"lease\":false}";
  private static final int MANY = 1_000;
  private static final int READ_TIMEOUT_MS = 30_000;

  private static final InMemoryStore STORE = new InMemoryStore();
  private static final ServerParts PARTS = TestParts.on(STORE);
  private static final MillraceServer SERVER = TestServers.start(PARTS);

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private static Stream<Arguments> hostile() {
    String deep = "{\"entity\":" + "[".repeat(30_000) + "]".repeat(30_000) + "}";
    return Stream.of(
        Arguments.of("no JSON", 400, post("{\"entity\":", "application/json")),
        Arguments.of("nothing", 400, post("", "application/json")),
        Arguments.of("deep", 400, post(deep, "application/json")),
        Arguments.of(
            "long number", 400, post("{\"entity\":" + "9".repeat(5_000) + "}", "application/json")),
        Arguments.of(
            "huge exponent", 400, post(GOOD.replace("10", "1e999999999"), "application/json")),
        Arguments.of(
            "twice",
            400,
            post(GOOD.replace("{\"entity", "{\"entity\":\"b\",\"entity"), "application/json")),
        Arguments.of(
            "unknown field", 400, post(GOOD.replace("lease", "leese"), "application/json")),
        Arguments.of(
            "control characters",
            400,
            post(GOOD.replace("\"a\"", "\"a\\u0000\\r\\nX: y\""), "application/json")),
        Arguments.of(
            "script", 400, post(GOOD.replace("\"a\"", "\"<script>\""), "application/json")),
        Arguments.of("form", 415, post(GOOD, "application/x-www-form-urlencoded")),
        Arguments.of("plain text", 415, post(GOOD, "text/plain")),
        Arguments.of("other charset", 415, post(GOOD, "application/json; charset=utf-16")),
        Arguments.of(
            "bad UTF-8", 400, post(GOOD.replace("\"a\"", "\"\u00ff\""), "application/json")),
        Arguments.of(
            "compressed",
            415,
            head(PATH, "Content-Encoding: gzip\r\nContent-Type: application/json\r\n", GOOD)),
        Arguments.of(
            "too long", 413, head(PATH, "Content-Type: application/json\r\n", "x".repeat(70_000))),
        Arguments.of("too long, in pieces", 413, chunked(20, 5_000)),
        Arguments.of(
            "two lengths",
            400,
            "POST "
                + PATH
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
        Arguments.of(
            "negative length",
            400,
            "POST " + PATH + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"),
        Arguments.of(
            "flood of fields",
            431,
            "GET / HTTP/1.1\r\nHost: localhost\r\n" + "X-A: bbbbbbbbbb\r\n".repeat(5_000) + "\r\n"),
        Arguments.of(
            "long line",
            414,
            "GET /" + "a".repeat(10_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        Arguments.of("up", 400, get("/v1/../../etc/passwd")),
        Arguments.of("up, encoded", 400, get("/v1/%2e%2e/%2e%2e/etc/passwd")),
        Arguments.of(
            "other namespace by path", 400, get("/v1/namespaces/default%2F..%2Fother/leases/x")),
        Arguments.of("null in the path", 400, get("/v1/namespaces/default/leases/%00")),
        Arguments.of("bad escape", 400, get("/v1/namespaces/default/leases/%zz")),
        Arguments.of("forged lease", 404, get("/v1/namespaces/default/leases/" + "A".repeat(80))),
        Arguments.of(
            "no such method", 405, "DELETE " + PATH + " HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        Arguments.of(
            "page of elsewhere",
            403,
            head(PATH, "Origin: https://evil.example\r\nContent-Type: application/json\r\n", GOOD)),
        Arguments.of(
            "page without origin",
            403,
            head(PATH, "Origin: null\r\nContent-Type: application/json\r\n", GOOD)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("hostile")
  void request_hostile_isRefusedTellsNothingAndChangesNothing(
      String what, int status, String request) throws IOException {
    int before = STORE.size() + STORE.records();
    String answer = raw(request);
    assertThat(answer).as(what).startsWith("HTTP/1.1 " + status);
    assertThat(answer.toLowerCase(Locale.ROOT))
        .doesNotContain("exception", "millrace.server", "armeria", "netty", "java.", ".java")
        .doesNotContain("<script>\"", "passwd");
    assertThat(answer).contains("application/problem+json");
    assertThat(STORE.size() + STORE.records()).isEqualTo(before);
  }

  @Test
  void connections_manyAndSilent_doNotStallOthers() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < MANY; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), SERVER.uri().getPort());
        if (i % 2 == 0) { // the head is there, the body is not
          socket
              .getOutputStream()
              .write(
                  head(PATH, "Content-Type: application/json\r\n", GOOD)
                      .substring(0, 150)
                      .getBytes(StandardCharsets.US_ASCII));
        }
        silent.add(socket);
      }
      Web web = Web.of(SERVER);
      for (int i = 0; i < 5; i++) {
        assertThat(web.post(PATH, GOOD.replace("\"a\"", "\"b\"")).status()).isEqualTo(200);
      }
      assertThat(SERVER.connections()).isGreaterThan(MANY / 2);
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  private static String post(String body, String type) {
    return head(PATH, "Content-Type: " + type + "\r\n", body);
  }

  private static String head(String path, String fields, String body) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: localhost\r\n"
        + fields
        + "Content-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  private static String chunked(int chunks, int size) {
    String chunk = Integer.toHexString(size) + "\r\n" + "x".repeat(size) + "\r\n";
    return "POST "
        + PATH
        + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"
        + chunk.repeat(chunks)
        + "0\r\n\r\n";
  }

  /** Sends exactly these bytes, one a character, and returns what comes back until it is whole. */
  private static String raw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), SERVER.uri().getPort())) {
      socket.setSoTimeout(READ_TIMEOUT_MS);
      try {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      } catch (IOException e) {
        // It answered before it had read all, and closed.
      }
      return read(socket.getInputStream());
    }
  }

  private static String read(InputStream in) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    byte[] buffer = new byte[8_192];
    while (!answer.toString(StandardCharsets.UTF_8).endsWith("}")) {
      int read = in.read(buffer);
      if (read < 0) {
        break;
      }
      answer.write(buffer, 0, read);
    }
    return answer.toString(StandardCharsets.UTF_8);
  }
}
