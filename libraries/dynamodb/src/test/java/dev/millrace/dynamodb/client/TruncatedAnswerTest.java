package dev.millrace.dynamodb.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import dev.millrace.dynamodb.Buckets;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A refused condition whose answer breaks off is a lost answer, whatever of it had arrived. */
class TruncatedAnswerTest {
  private static final BucketKey KEY = BucketKey.first("ns", "key", "chat");

  private static final byte[] REFUSAL =
      ("{\"__type\":\"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException\","
              + "\"message\":\"The conditional request failed\",\"Item\":"
              + SampleJson.item(Buckets.state("rpm"))
              + "}")
          .getBytes(StandardCharsets.UTF_8);

  private static Stream<Arguments> clientsAndLengths() {
    return Arrays.stream(TestStore.values())
        .flatMap(
            store ->
                Stream.of(0, 1, 40, REFUSAL.length / 2, REFUSAL.length - 60, REFUSAL.length - 1)
                    .map(length -> Arguments.of(store, length)));
  }

  @ParameterizedTest
  @MethodSource("clientsAndLengths")
  void execute_refusalCutOff_isUnknownAndBroken(TestStore store, int length) throws IOException {
    StoreReply reply = write(store, length);

    assertThat(reply).isInstanceOf(StoreReply.Unknown.class);
    assertThat(((StoreReply.Unknown) reply).failure().kind()).isEqualTo(StoreFailure.Kind.BROKEN);
  }

  @ParameterizedTest
  @MethodSource("clients")
  void execute_refusalWhole_isRefused(TestStore store) throws IOException {
    assertThat(write(store, REFUSAL.length)).isInstanceOf(StoreReply.Refused.class);
  }

  private static Stream<TestStore> clients() {
    return Arrays.stream(TestStore.values());
  }

  private static StoreReply write(TestStore kind, int length) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
      Thread answers = new Thread(() -> answer(server, length), "truncated-answers");
      answers.setDaemon(true);
      answers.start();
      URI endpoint = URI.create("http://127.0.0.1:" + server.getLocalPort());
      try (TestStore.Open open = kind.open(endpoint)) {
        WritePlan plan = new WritePlan.Resize(KEY, 1, 2, 0, "op");
        return open.store().execute(new StoreCall.Write(plan), 10_000);
      }
    }
  }

  /** Answers each request with the first bytes of a refusal, then closes the connection. */
  private static void answer(ServerSocket server, int length) {
    while (!server.isClosed()) { // ends: the test closes it
      try (Socket socket = server.accept()) {
        readRequest(socket);
        String head =
            "HTTP/1.1 400 Bad Request\r\nContent-Type: application/x-amz-json-1.0\r\n"
                + "Content-Length: "
                + REFUSAL.length
                + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(REFUSAL, 0, length);
        socket.getOutputStream().flush();
        socket.shutdownOutput();
      } catch (IOException e) {
        if (!server.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private static void readRequest(Socket socket) throws IOException {
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    int body = 0;
    String line = in.readLine();
    while (line != null && !line.isEmpty()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        body = Integer.parseInt(line.substring(line.indexOf(':') + 1).trim());
      }
      line = in.readLine();
    }
    for (int i = 0; i < body; i++) {
      if (in.read() < 0) {
        return;
      }
    }
  }
}
