package dev.millrace.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.RateLimitExceededException;
import dev.millrace.adapters.support.Bench;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LimitedExecutorServiceTest {
  private final Bench bench = new Bench();
  private final ExecutorService threads = Executors.newSingleThreadExecutor();
  private final LimitedExecutorService limited =
      LimitedExecutorService.of(threads, bench.limiter, Bench.REQUEST, Duration.ZERO);

  @AfterEach
  void close() {
    limited.shutdownNow();
    bench.close();
  }

  /** Ends the executor, so that every lease has ended. */
  private void drain() throws InterruptedException {
    limited.shutdown();
    assertThat(limited.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    assertThat(limited.isTerminated()).isTrue();
  }

  @Test
  void submit_thatReturns_isCharged() throws Exception {
    assertThat(limited.submit(() -> "done").get()).isEqualTo("done");
    limited.execute(() -> {});
    drain();

    assertThat(bench.consumed("calls")).isEqualTo(2);
  }

  @Test
  void submit_thatThrows_isGivenBack() throws Exception {
    Future<?> failing =
        limited.submit(
            () -> {
              throw new IllegalStateException("on purpose");
            });

    assertThatThrownBy(failing::get).isInstanceOf(ExecutionException.class);
    drain();
    assertThat(bench.consumed("calls")).isZero();
  }

  @Test
  void submit_overTheLimit_isRejectedWithTheRefusal() {
    bench.exhausted();

    assertThatThrownBy(() -> limited.submit(() -> "done"))
        .isInstanceOf(RejectedExecutionException.class)
        .hasCauseInstanceOf(RateLimitExceededException.class);
    assertThat(bench.consumed("calls")).isEqualTo(5);
  }

  @Test
  void invokeAll_chargesEach() throws Exception {
    assertThat(limited.invokeAll(List.of(() -> 1, () -> 2, () -> 3))).hasSize(3);
    drain();

    assertThat(bench.consumed("calls")).isEqualTo(3);
  }

  @Test
  void shutdownNow_givesBackWhatDidNotBegin() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    List<Future<?>> all = new ArrayList<>();
    all.add(
        limited.submit(
            () -> {
              begun.countDown();
              return held.await(60, TimeUnit.SECONDS);
            }));
    all.add(limited.submit(() -> "waits"));
    all.add(limited.submit(() -> "is cancelled"));
    assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(bench.consumed("calls")).isEqualTo(3);

    assertThat(all.get(2).cancel(false)).isTrue();
    assertThat(limited.shutdownNow()).hasSize(2);
    drain();

    assertThat(bench.consumed("calls")).isZero(); // the first was interrupted, which it threw
  }

  @Test
  void submit_toAnExecutorThatIsFull_isGivenBack() {
    threads.shutdown();

    assertThatThrownBy(() -> limited.submit(() -> "done"))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(bench.consumed("calls")).isZero();
  }

  @Test
  void of_negativeWait_isRefused() {
    assertThatThrownBy(
            () -> LimitedExecutor.of(threads, bench.limiter, Bench.REQUEST, Duration.ofMillis(-1)))
        .hasMessage("maxWait PT-0.001S must not be negative");
  }
}
