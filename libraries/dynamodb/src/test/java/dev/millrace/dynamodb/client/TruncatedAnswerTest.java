package dev.millrace.dynamodb.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.Buckets;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
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
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An answer that breaks off is a lost answer, whatever of it had arrived: a refused condition, an
 * applied write, and above all a read, which must not look as if nothing had been found.
 */
class TruncatedAnswerTest {
  private static final BucketKey KEY = BucketKey.first("ns", "key", "chat");
  private static final StoreCall WRITE =
      new StoreCall.Write(new WritePlan.Resize(KEY, 1, 2, 0, "op"));

  /** What is answered, and to which call. */
  @SuppressWarnings("ImmutableEnumChecker") // nobody changes them
  private enum Answered {
    REFUSED(
        "400 Bad Request",
        "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException\","
            + "\"message\":\"The conditional request failed\",\"Item\":"
            + SampleJson.item(Buckets.state("rpm"))
            + "}",
        WRITE,
        StoreReply.Refused.class),
    APPLIED("200 OK", SampleJson.updated(), WRITE, StoreReply.Applied.class),
    FOUND(
        "200 OK",
        "{\"Item\":" + SampleJson.item(Buckets.state("rpm")) + "}",
        new StoreCall.Read(KEY),
        StoreReply.Found.class);

    private final String status;
    private final byte[] body;
    private final StoreCall call;
    private final Class<? extends StoreReply> whole;

    Answered(String status, String body, StoreCall call, Class<? extends StoreReply> whole) {
      this.status = status;
      this.body = body.getBytes(StandardCharsets.US_ASCII);
      this.call = call;
      this.whole = whole;
    }

    byte[] head(boolean chunked) {
      String framing =
          chunked
              ? "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(body.length) + "\r\n"
              : "Content-Length: " + body.length + "\r\n\r\n";
      return ("HTTP/1.1 " + status + "\r\nContent-Type: application/x-amz-json-1.0\r\n" + framing)
          .getBytes(StandardCharsets.US_ASCII);
    }
  }

  private static Stream<Arguments> clientsAndAnswers() {
    return Arrays.stream(TestStore.values())
        .flatMap(
            store ->
                Arrays.stream(Answered.values())
                    .flatMap(
                        answered ->
                            Stream.of(true, false)
                                .map(chunked -> Arguments.of(store, answered, chunked))));
  }

  @ParameterizedTest
  @MethodSource("clientsAndAnswers")
  void execute_answerCutOff_isBroken(TestStore store, Answered answered, boolean chunked)
      throws IOException {
    int size = answered.body.length;
    for (int length : new int[] {0, 1, 40, size / 2, size - 60, size - 1}) {
      StoreReply reply = reply(store, answered, chunked, length);

      assertThat(failure(reply))
          .as("%s bytes: %s", length, reply)
          .contains(StoreFailure.Kind.BROKEN);
      if (answered.call.writes()) {
        assertThat(reply).isInstanceOf(StoreReply.Unknown.class);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("clientsAndAnswers")
  void execute_answerWhole_isTheAnswer(TestStore store, Answered answered, boolean chunked)
      throws IOException {
    assertThat(reply(store, answered, chunked, answered.body.length)).isInstanceOf(answered.whole);
  }

  /** Other stores than DynamoDB may answer so when there is no item. */
  @Test
  void execute_emptyAnswerOfTwoBytes_isAnAnswer() throws IOException {
    StoreReply reply =
        reply(
            TestStore.URL_CONNECTION_SAFE,
            new StoreCall.Read(KEY),
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(StandardCharsets.US_ASCII));

    assertThat(reply)
        .isInstanceOfSatisfying(
            StoreReply.Found.class, found -> assertThat(found.state()).isNull());
  }

  private static Optional<StoreFailure.Kind> failure(StoreReply reply) {
    if (reply instanceof StoreReply.NotApplied notApplied) {
      return Optional.of(notApplied.failure().kind());
    }
    return reply instanceof StoreReply.Unknown unknown
        ? Optional.of(unknown.failure().kind())
        : Optional.empty();
  }

  /** The reply to an answer of which {@code length} bytes of the body arrive. */
  private static StoreReply reply(TestStore kind, Answered answered, boolean chunked, int length)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(answered.head(chunked));
    bytes.write(answered.body, 0, length);
    if (chunked && length == answered.body.length) {
      bytes.writeBytes("\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    return reply(kind, answered.call, bytes.toByteArray());
  }

  private static StoreReply reply(TestStore kind, StoreCall call, byte[] bytes) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
      Thread answers = new Thread(() -> answer(server, bytes), "truncated-answers");
      answers.setDaemon(true);
      answers.start();
      URI endpoint = URI.create("http://127.0.0.1:" + server.getLocalPort());
      try (TestStore.Open open = kind.open(endpoint)) {
        return open.store().execute(call, 10_000);
      }
    }
  }

  /** Answers each request with the same bytes, then closes the connection. */
  private static void answer(ServerSocket server, byte[] bytes) {
    while (!server.isClosed()) { // ends: the test closes it
      try (Socket socket = server.accept()) {
        readRequest(socket);
        socket.getOutputStream().write(bytes);
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
