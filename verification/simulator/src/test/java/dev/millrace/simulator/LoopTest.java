package dev.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopTest {
  private final Carriers carriers = new Carriers();
  private final Loop loop = new Loop(new Chance(7), carriers, 100_000);
  private final List<String> told = new ArrayList<>();

  @AfterEach
  void close() {
    loop.close();
    carriers.close();
  }

  @Test
  void after_manyEvents_happenInTheOrderOfTheirTimes() {
    loop.after(30, () -> told.add("c"));
    loop.after(10, () -> told.add("a"));
    loop.after(20, () -> told.add("b"));

    loop.runUntil(100);

    assertThat(told).containsExactly("a", "b", "c");
    assertThat(loop.nowNanos()).isEqualTo(100);
  }

  @Test
  void runUntil_laterEvent_waitsForTheNextTime() {
    loop.after(200, () -> told.add("later"));

    loop.runUntil(100);
    assertThat(told).isEmpty();

    loop.runUntil(200);
    assertThat(told).containsExactly("later");
  }

  @Test
  void await_threadsOfEachOther_takeTurns() {
    CompletableFuture<Void> first = new CompletableFuture<>();
    CompletableFuture<Void> second = new CompletableFuture<>();
    loop.spawn(
        () -> {
          told.add("one waits");
          await(first, 1_000);
          told.add("one goes on at " + loop.nowNanos());
          second.complete(null);
        });
    loop.spawn(
        () -> {
          await(new CompletableFuture<>(), 50);
          told.add("two calls");
          first.complete(null);
          await(second, 1_000);
          told.add("two goes on at " + loop.nowNanos());
        });

    loop.runUntil(2_000);

    assertThat(told)
        .containsExactly("one waits", "two calls", "one goes on at 50", "two goes on at 50");
  }

  @Test
  void await_nothingHappens_endsWithTheTime() {
    loop.spawn(() -> told.add(await(new CompletableFuture<>(), 70) + " at " + loop.nowNanos()));

    loop.runUntil(100);

    assertThat(told).containsExactly("false at 70");
  }

  @Test
  void await_interrupted_throwsAtThatTime() {
    Fiber fiber =
        loop.spawn(
            () -> {
              try {
                loop.await(new CompletableFuture<>(), 1_000);
              } catch (InterruptedException e) {
                told.add("interrupted at " + loop.nowNanos());
              }
            });
    loop.after(40, () -> assertThat(loop.interrupt(fiber)).isTrue());

    loop.runUntil(2_000);

    assertThat(told).containsExactly("interrupted at 40");
  }

  @Test
  void kill_waitingThread_neverGoesOn() {
    Fiber fiber =
        loop.spawn(
            () -> {
              await(new CompletableFuture<>(), 500);
              told.add("went on");
            });
    loop.after(40, () -> loop.kill(fiber));

    loop.runUntil(2_000);

    assertThat(told).isEmpty();
  }

  @Test
  void runUntil_eventThrows_isThrownAndNothingFollows() {
    loop.after(
        10,
        () -> {
          throw new IllegalStateException("broken");
        });
    loop.after(20, () -> told.add("followed"));

    assertThatThrownBy(() -> loop.runUntil(100)).hasMessage("broken");
    assertThat(told).isEmpty();
  }

  @Test
  void runUntil_threadThrows_isThrown() {
    loop.spawn(
        () -> {
          await(new CompletableFuture<>(), 10);
          throw new IllegalStateException("broken");
        });

    assertThatThrownBy(() -> loop.runUntil(100)).hasMessage("broken");
  }

  @Test
  void runUntil_eventsWithoutEnd_isFound() {
    Runnable[] again = new Runnable[1];
    again[0] = () -> loop.after(0, again[0]);
    loop.after(0, again[0]);

    assertThatThrownBy(() -> loop.runUntil(100)).hasMessageContaining("circles");
  }

  @Test
  void await_byAnEvent_isRefused() {
    loop.after(10, () -> await(new CompletableFuture<>(), 10));

    assertThatThrownBy(() -> loop.runUntil(100)).hasMessageContaining("no event");
  }

  private boolean await(CompletableFuture<?> event, long nanos) {
    try {
      return loop.await(event, nanos);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
