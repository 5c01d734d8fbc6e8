package dev.millrace.worker.letters;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.worker.LocalClients;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.utils.Md5Utils;

/** Letters from a queue, over SQS's own protocol. */
class SqsLettersTest {
  private static final String QUEUE = "https://sqs.us-east-1.amazonaws.com/1/letters";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** How many messages one answer has, as far as there are. */
  private static final int A_FEW = 2;

  private final List<String> bodies = new ArrayList<>();
  private final List<String> deleted = new CopyOnWriteArrayList<>();
  private final List<JsonNode> receives = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private LocalClients endpoints;
  private int next;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4);
    server.createContext("/", this::answer);
    server.start();
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    endpoints = LocalClients.of(address);
  }

  @AfterEach
  void stop() {
    endpoints.close();
    server.stop(0);
  }

  /** Messages that were handed out are hidden, whether they are deleted or not. */
  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      JsonNode request = JSON.readTree(exchange.getRequestBody());
      String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
      Object reply = Map.of();
      if (target.equals("AmazonSQS.ReceiveMessage")) {
        receives.add(request);
        List<Map<String, String>> messages = new ArrayList<>();
        for (; messages.size() < A_FEW && next < bodies.size(); next++) {
          messages.add(message(next, bodies.get(next)));
        }
        reply = Map.of("Messages", messages);
      } else if (target.equals("AmazonSQS.DeleteMessage")) {
        deleted.add(request.path("ReceiptHandle").asText());
      }
      byte[] bytes = JSON.writeValueAsBytes(reply);
      exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static Map<String, String> message(int number, String body) {
    byte[] hash = Md5Utils.computeMD5Hash(body.getBytes(StandardCharsets.UTF_8));
    return Map.of(
        "MessageId",
        "m" + number,
        "ReceiptHandle",
        "handle-" + number,
        "MD5OfBody",
        HexFormat.of().formatHex(hash),
        "Body",
        body);
  }

  private List<String> read(List<String> replayed, boolean remove) {
    List<String> seen = new ArrayList<>();
    new LetterSource.QueueLetters(endpoints.sqsClient(), QUEUE)
        .forEach(
            text -> {
              seen.add(text);
              return replayed.contains(text);
            },
            remove);
    return seen;
  }

  @Test
  void forEach_plainCompressedAndNeither_areTexts() throws IOException {
    String large = "{\"record\":\"" + "é".repeat(2_000) + "\"}";
    bodies.addAll(List.of("{\"a\":1}", zipped(large), "H4sI is no Base64 {", "last"));

    assertThat(read(List.of(), false))
        .containsExactly("{\"a\":1}", large, "H4sI is no Base64 {", "last");
    assertThat(deleted).isEmpty();
    assertThat(receives).as("the last one finds nothing").hasSize(3);
    assertThat(receives.get(0).path("QueueUrl").asText()).isEqualTo(QUEUE);
    assertThat(receives.get(0).path("MaxNumberOfMessages").asInt()).isEqualTo(10);
    assertThat(receives.get(0).path("VisibilityTimeout").asInt()).isPositive();
  }

  @Test
  void forEach_remove_deletesWhatWasReplayedOnly() throws IOException {
    bodies.addAll(List.of("a", zipped("b"), "c"));
    assertThat(read(List.of("b", "c"), true)).containsExactly("a", "b", "c");
    assertThat(deleted).containsExactly("handle-1", "handle-2");
  }

  private static String zipped(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }
}
