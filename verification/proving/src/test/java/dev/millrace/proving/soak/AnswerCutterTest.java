package dev.millrace.proving.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AnswerCutterTest {
  private static final byte[] REQUEST = "request".getBytes(StandardCharsets.UTF_8);
  private static final byte[] ANSWER = "the answer".getBytes(StandardCharsets.UTF_8);

  private static String ask(int cutEvery, long expectedCuts) throws IOException {
    try (ServerSocket database = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        AnswerCutter cutter =
            AnswerCutter.start(
                URI.create("http://127.0.0.1:" + database.getLocalPort()),
                cutEvery,
                new Random(1));
        Socket client = new Socket(InetAddress.getLoopbackAddress(), cutter.endpoint().getPort())) {
      CompletableFuture<String> heard =
          CompletableFuture.supplyAsync(
              () -> {
                try (Socket accepted = database.accept()) {
                  byte[] request = accepted.getInputStream().readNBytes(REQUEST.length);
                  accepted.getOutputStream().write(ANSWER);
                  return new String(request, StandardCharsets.UTF_8);
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      client.getOutputStream().write(REQUEST);
      String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(heard.join()).isEqualTo("request");
      assertThat(cutter.cuts()).isEqualTo(expectedCuts);
      return answer;
    }
  }

  @Test
  void copy_everyAnswerCut_requestArrivesAndAnswerIsShort() throws IOException {
    assertThat(ask(1, 1)).hasSizeLessThan(ANSWER.length);
  }

  @Test
  void copy_neverCut_passesEverythingOn() throws IOException {
    assertThat(ask(0, 0)).isEqualTo("the answer");
  }
}
