package dev.millrace.llm;

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

class ProviderFailuresTest {
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
      assertThat(ProviderFailures.isTimeout(timeout)).as("%s", timeout).isTrue();
      assertThat(ProviderFailures.isTimeout(new RuntimeException(new IOException(timeout))))
          .isTrue();
    }
  }

  @Test
  void isTimeout_otherFailures_areNot() {
    assertThat(ProviderFailures.isTimeout(new IllegalStateException("timeout of a kind")))
        .isFalse();
    assertThat(ProviderFailures.isTimeout(new RuntimeException(new ConnectException()))).isFalse();
  }

  @Test
  void isTimeout_notEvenConnected_isNot() {
    assertThat(
            ProviderFailures.isTimeout(
                new ReadTimeoutException().initCause(new HttpConnectTimeoutException("connect"))))
        .isFalse();
  }

  @Test
  void isTimeout_ringOfCauses_ends() {
    RuntimeException one = new RuntimeException("one");
    RuntimeException two = new RuntimeException("two", one);
    one.initCause(two);

    assertThat(ProviderFailures.isTimeout(one)).isFalse();
  }

  @Test
  void unwrapped_takesOffWhatFuturesWrapAround() {
    IllegalStateException failure = new IllegalStateException();

    assertThat(ProviderFailures.unwrapped(new CompletionException(failure))).isSameAs(failure);
    assertThat(ProviderFailures.unwrapped(failure)).isSameAs(failure);
  }
}
