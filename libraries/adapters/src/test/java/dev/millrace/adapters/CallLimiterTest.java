package dev.millrace.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.RateLimitExceededException;
import dev.millrace.adapters.support.Bench;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallLimiterTest {
  private final Bench bench = new Bench();
  private final CallLimiter limited = CallLimiter.by(bench.limiter, Bench.REQUEST);

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void supplier_thatReturns_isChargedEachTime() {
    Supplier<String> work = limited.supplier(() -> "done");

    assertThat(work.get()).isEqualTo("done");
    assertThat(work.get()).isEqualTo("done");

    assertThat(bench.consumed("calls")).isEqualTo(2);
    assertThat(bench.consumed("tokens")).isEqualTo(200);
  }

  @Test
  void supplier_withSettling_costsWhatItSays() {
    Supplier<String> work =
        limited.supplier(
            () -> "seven", (lease, result) -> lease.adjust("tokens", result.length() - 100));

    assertThat(work.get()).isEqualTo("seven");
    assertThat(bench.consumed("tokens")).isEqualTo(5);
  }

  @Test
  void supplier_whoseSettlingThrows_returnsAndStaysCharged() {
    Supplier<String> work =
        limited.supplier(
            () -> "done",
            (lease, result) -> {
              throw new IllegalStateException("on purpose");
            });

    assertThat(work.get()).isEqualTo("done");
    assertThat(bench.consumed("tokens")).isEqualTo(100);
  }

  @Test
  void callable_thatThrows_isGivenBackAndThrows() {
    assertThatThrownBy(
            limited.callable(
                    () -> {
                      throw new IOException("on purpose");
                    })
                ::call)
        .isInstanceOf(IOException.class);

    assertThat(bench.consumed("calls")).isZero();
    assertThat(bench.consumed("tokens")).isZero();
  }

  @Test
  void supplier_overTheLimit_doesNotRun() {
    bench.exhausted();
    AtomicInteger runs = new AtomicInteger();

    assertThatThrownBy(limited.supplier(runs::incrementAndGet)::get)
        .isInstanceOf(RateLimitExceededException.class);

    assertThat(runs).hasValue(0);
    assertThat(bench.consumed("calls")).isEqualTo(5);
  }

  @Test
  void waiting_forTokensThatReturn_goesOn() throws Exception {
    bench.exhausted();
    Supplier<CompletionStage<String>> work =
        limited.waiting(Duration.ofDays(1)).stage(() -> CompletableFuture.completedFuture("done"));

    CompletableFuture<String> waiting = work.get().toCompletableFuture();
    assertThat(waiting).isNotDone();
    bench.clock.advance(Duration.ofDays(1));

    assertThat(waiting.get()).isEqualTo("done");
    assertThat(bench.consumed("calls")).isEqualTo(6);
  }

  @Test
  void waiting_interrupted_isCancelledAndStaysInterrupted() {
    bench.exhausted();
    Thread.currentThread().interrupt();

    assertThatThrownBy(limited.waiting(Duration.ofHours(1)).supplier(() -> "done")::get)
        .isInstanceOf(CancellationException.class);

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void stage_thatFails_isGivenBack() {
    CompletableFuture<String> work = new CompletableFuture<>();

    CompletionStage<String> result = limited.stage(() -> work).get();
    assertThat(bench.consumed("calls")).isEqualTo(1);
    work.completeExceptionally(new IOException("on purpose"));

    assertThat(result.toCompletableFuture()).isCompletedExceptionally();
    assertThat(bench.consumed("calls")).isZero();
  }

  @Test
  void stage_thatCannotBegin_isGivenBack() {
    Supplier<CompletionStage<String>> work =
        limited.stage(
            () -> {
              throw new IllegalStateException("on purpose");
            });

    assertThat(work.get().toCompletableFuture()).isCompletedExceptionally();
    assertThat(bench.consumed("calls")).isZero();
  }

  @Test
  void stage_withSettling_costsWhatItSays() {
    CompletionStage<String> result =
        limited
            .stage(
                () -> CompletableFuture.completedFuture("seven"),
                (lease, answer) -> lease.adjust("tokens", answer.length()))
            .get();

    assertThat(result.toCompletableFuture()).isCompletedWithValue("seven");
    assertThat(bench.consumed("tokens")).isEqualTo(105);
  }
}
