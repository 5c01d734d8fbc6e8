package dev.millrace.server.observability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.Await;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The readiness of a server for requests. */
class ReadinessTest {
  private static final Duration OFTEN = Duration.ofMillis(10);

  @Test
  void isHealthy_serverAboutToStop_saysNoAtOnceAndWhy() throws Exception {
    AtomicBoolean accepting = new AtomicBoolean(true);
    try (Readiness readiness =
        new Readiness(() -> "answer", accepting::get, Duration.ofSeconds(10), OFTEN)) {
      Await.until("ready", readiness::isHealthy);
      accepting.set(false);
      assertThat(readiness.isHealthy()).isFalse();
      assertThat(readiness.reason()).isEqualTo("the server is about to stop");
    }
  }

  @Test
  void isHealthy_tableThatDoesNotAnswer_saysNoAndRecovers() throws Exception {
    AtomicBoolean stuck = new AtomicBoolean(true);
    CountDownLatch never = new CountDownLatch(1);
    try (Readiness readiness =
        new Readiness(
            () -> {
              if (stuck.get()) {
                never.await();
              }
              return "answer";
            },
            () -> true,
            Duration.ofMillis(50),
            OFTEN)) {
      Await.until("it was asked", () -> readiness.reason().contains("did not answer within"));
      assertThat(readiness.isHealthy()).isFalse();
      stuck.set(false);
      Await.until("ready", readiness::isHealthy);
    }
  }
}
