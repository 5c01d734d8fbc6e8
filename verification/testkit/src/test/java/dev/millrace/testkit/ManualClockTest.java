package dev.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ManualClockTest {
  private final ManualClock clock = new ManualClock(1_000);

  /** A thread that sleeps; the future says at what time it woke, or how it failed. */
  private CompletableFuture<Long> sleeper(long ms) {
    CompletableFuture<Long> woke = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                clock.sleep(ms);
                woke.complete(clock.nowMs());
              } catch (InterruptedException e) {
                woke.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return woke;
  }

  @Test
  void nowMs_movedAndSet_saysSo() {
    assertThat(clock.nowMs()).isEqualTo(1_000);
    clock.advance(Duration.ofMillis(5));
    assertThat(clock.nowMs()).isEqualTo(1_005);
    clock.set(2_000);
    assertThat(clock.nowMs()).isEqualTo(2_000);
    clock.set(10);
    assertThat(clock.nowMs()).isEqualTo(10);
    clock.advance(Duration.ofMillis(5));
    assertThat(clock.nowMs()).isEqualTo(15);
  }

  @Test
  void advance_backward_isRefused() {
    assertThatThrownBy(() -> clock.advance(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-0.001S");
  }

  @Test
  void sleep_advancedInSteps_wakesWhenEnough() throws Exception {
    CompletableFuture<Long> woke = sleeper(100);
    clock.awaitSleepers(1);
    clock.advance(Duration.ofMillis(99));
    assertThat(clock.sleepers()).isEqualTo(1);
    assertThat(woke).isNotDone();
    clock.advance(Duration.ofMillis(1));
    assertThat(clock.sleepers()).isZero();
    assertThat(woke.get(10, TimeUnit.SECONDS)).isEqualTo(1_100);
  }

  @Test
  void sleep_notPositive_returnsAtOnce() throws Exception {
    clock.sleep(0);
    clock.sleep(-1);
    assertThat(clock.sleepers()).isZero();
  }

  @Test
  void sleep_clockSetBack_isNotLengthened() throws Exception {
    CompletableFuture<Long> woke = sleeper(100);
    clock.awaitSleepers(1);
    clock.set(0);
    clock.advance(Duration.ofMillis(100));
    assertThat(woke.get(10, TimeUnit.SECONDS)).isEqualTo(100);
  }

  @Test
  void sleep_interrupted_throwsAndWaitsNoMore() throws Exception {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                clock.sleep(100);
                interrupted.complete(false);
              } catch (InterruptedException e) {
                interrupted.complete(true);
              }
            });
    thread.setDaemon(true);
    thread.start();
    clock.awaitSleepers(1);
    thread.interrupt();
    assertThat(interrupted.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(clock.sleepers()).isZero();
  }

  @Test
  void sleep_manyThreads_wakeEachInItsTime() throws Exception {
    CompletableFuture<Long> first = sleeper(10);
    CompletableFuture<Long> second = sleeper(20);
    clock.awaitSleepers(2);
    clock.set(1_010);
    assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(1_010);
    assertThat(clock.sleepers()).isEqualTo(1);
    clock.set(1_020);
    assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(1_020);
  }

  @Test
  void after_notPositive_isComplete() {
    assertThat(clock.after(0).toCompletableFuture()).isCompleted();
    assertThat(clock.after(-5).toCompletableFuture()).isCompleted();
  }

  @Test
  void after_several_completeInOrderSeeingTheirOwnTime() {
    List<String> log = new ArrayList<>();
    when(30, () -> log.add("c@" + clock.nowMs()));
    when(10, () -> log.add("a@" + clock.nowMs()));
    when(10, () -> log.add("b@" + clock.nowMs()));
    when(31, () -> log.add("late"));
    assertThat(clock.sleepers()).isEqualTo(4);
    clock.advance(Duration.ofMillis(30));
    assertThat(log).containsExactly("a@1010", "b@1010", "c@1030");
    assertThat(clock.nowMs()).isEqualTo(1_030);
    assertThat(clock.sleepers()).isEqualTo(1);
  }

  @Test
  void after_waitingAgainWithinTheStretch_isServedToo() {
    List<Long> times = new ArrayList<>();
    every(100, times);
    clock.advance(Duration.ofSeconds(1));
    assertThat(times).hasSize(10).startsWith(1_100L, 1_200L).endsWith(2_000L);
  }

  private void when(long ms, Runnable action) {
    CompletionStage<Void> unused = clock.after(ms).thenRun(action);
  }

  private void every(long ms, List<Long> times) {
    when(
        ms,
        () -> {
          times.add(clock.nowMs());
          every(ms, times);
        });
  }

  @Test
  void after_cancelled_waitsNoMore() {
    CompletableFuture<Void> stage = clock.after(10).toCompletableFuture();
    stage.cancel(false);
    assertThat(clock.sleepers()).isZero();
    clock.advance(Duration.ofMillis(10));
    assertThat(stage).isCancelled();
  }
}
