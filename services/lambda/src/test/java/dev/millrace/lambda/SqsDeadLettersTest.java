package dev.millrace.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.StreamRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SqsException;
import software.amazon.awssdk.utils.Md5Utils;

/** The messages of a queue, over SQS's own protocol. */
class SqsDeadLettersTest {
  private static final String QUEUE = "https://sqs.us-east-1.amazonaws.com/1/letters";

  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
  private HttpServer server;
  private SqsClient client;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4);
    server.createContext(
        "/",
        exchange -> {
          String request =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          JsonNode message = JsonNode.parser().parse(request);
          String body = message.field("MessageBody").orElseThrow().asString();
          bodies.add(body);
          byte[] answer =
              "{\"MessageId\":\"1\",\"MD5OfMessageBody\":\"%s\"}"
                  .formatted(md5(body))
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
          exchange.sendResponseHeaders(status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    client =
        SqsClient.builder()
            .endpointOverride(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("a", "b")))
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .build();
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  @Test
  void put_letters_areAMessageEach() {
    new SqsDeadLetters(client, QUEUE).accept(List.of(letter("1", "x"), letter("2", "y")));
    assertThat(bodies).hasSize(2);
    assertThat(bodies.get(0)).startsWith("{\"error\":\"broken\"").contains("\"S\":\"x\"");
  }

  @Test
  void put_largeLetter_isCompressed() {
    new SqsDeadLetters(client, QUEUE).accept(List.of(letter("1", "x".repeat(380_000))));
    assertThat(bodies.get(0)).startsWith("H4sI").hasSizeLessThan(SqsDeadLetters.MAX_PLAIN);
  }

  @Test
  void put_queueRefuses_throwsSoThatTheBatchComesAgain() {
    status = 400;
    assertThatThrownBy(() -> new SqsDeadLetters(client, QUEUE).accept(List.of(letter("1", "x"))))
        .isInstanceOf(SqsException.class);
  }

  private static DeadLetter letter(String number, String text) {
    return new DeadLetter(
        new StreamRecord(
            number,
            5,
            OperationType.INSERT,
            false,
            Map.of(),
            Map.of(),
            Map.of("a", AttributeValue.fromS(text))),
        "broken");
  }

  private static String md5(String body) {
    byte[] hash = Md5Utils.computeMD5Hash(body.getBytes(StandardCharsets.UTF_8));
    return java.util.HexFormat.of().formatHex(hash);
  }
}
