package dev.millrace.llm.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class FailuresTest {
  /** As a library's own is called. */
  private static final class ReadTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void isTimeout_anyKind_isRecognisedHoweverDeep() {
    List<Exception> timeouts =
        List.of(
            new HttpTimeoutException("request timed out"),
            new SocketTimeoutException("Read timed out"),
            new TimeoutException(),
            new ReadTimeoutException());

    for (Exception timeout : timeouts) {
      assertThat(Failures.isTimeout(timeout)).as("%s", timeout).isTrue();
      assertThat(Failures.isTimeout(new RuntimeException(new IOException(timeout)))).isTrue();
    }
  }

  @Test
  void isTimeout_otherFailures_areNot() {
    assertThat(Failures.isTimeout(new IllegalStateException("timeout of a kind"))).isFalse();
    assertThat(Failures.isTimeout(new RuntimeException(new ConnectException()))).isFalse();
  }

  @Test
  void isTimeout_notEvenConnected_isNot() {
    assertThat(
            Failures.isTimeout(
                new ReadTimeoutException().initCause(new HttpConnectTimeoutException("connect"))))
        .isFalse();
  }

  @Test
  void isTimeout_ringOfCauses_ends() {
    RuntimeException one = new RuntimeException("one");
    RuntimeException two = new RuntimeException("two", one);
    one.initCause(two);

    assertThat(Failures.isTimeout(one)).isFalse();
  }

  @Test
  void unwrapped_takesOffWhatFuturesWrapAround() {
    IllegalStateException failure = new IllegalStateException();

    assertThat(Failures.unwrapped(new CompletionException(failure))).isSameAs(failure);
    assertThat(Failures.unwrapped(failure)).isSameAs(failure);
  }
}
