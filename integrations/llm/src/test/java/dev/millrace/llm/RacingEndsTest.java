package dev.millrace.llm;

import static dev.millrace.llm.Meters.amounts;
import static dev.millrace.llm.Meters.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One end takes effect, whatever races; a settlement that could not be written comes later. */
class RacingEndsTest {
  private static final int ROUNDS = 200;
  private static final LimitSet PLENTY =
      LimitSet.of(Limit.perMinute("rpm", 1_000_000), Limit.perMinute("tpm", 10_000_000));

  @ParameterizedTest
  @EnumSource
  void end_threeAtOnceWhileAStreamRuns_oneTakesEffect(Meters.Kind kind) throws Exception {
    Meters meters = new Meters();
    LlmMeter meter = meters.builder(kind).limits(PLENTY).build();
    List<CallEnd> ends =
        List.of(CallEnd.used(LlmUsage.of(28, 1_000)), CallEnd.cancelled(), CallEnd.nothingUsed());
    ExecutorService threads = Executors.newFixedThreadPool(ends.size() + 1);
    CyclicBarrier together = new CyclicBarrier(ends.size() + 1);
    int[] wins = new int[ends.size()];
    try {
      Map<String, Long> before = amounts(0, 0);
      for (int round = 0; round < ROUNDS; round++) {
        MeteredCall call = meter.begin(call(30));
        List<Callable<Boolean>> tasks = new ArrayList<>();
        tasks.add(
            () -> {
              together.await();
              for (int i = 0; i < 60; i++) {
                call.produced("a");
              }
              return false;
            });
        for (CallEnd end : ends) {
          tasks.add(
              () -> {
                together.await();
                return call.end(end);
              });
        }
        List<Boolean> took = new ArrayList<>();
        for (Future<Boolean> task : threads.invokeAll(tasks)) {
          took.add(task.get());
        }

        assertThat(took).containsOnlyOnce(true);
        int winner = took.indexOf(true) - 1;
        wins[winner]++;
        Map<String, Long> now = meters.consumed();
        long requests = now.getOrDefault("rpm", 0L) - before.getOrDefault("rpm", 0L);
        long tokens = now.getOrDefault("tpm", 0L) - before.getOrDefault("tpm", 0L);
        switch (winner) {
          case 0 -> {
            assertThat(requests).isEqualTo(1);
            assertThat(tokens).isEqualTo(1_028);
          }
          case 1 -> {
            assertThat(requests).isEqualTo(1);
            assertThat(tokens).isBetween(30L, 90L).isEqualTo(call.charged("tpm"));
          }
          default -> {
            assertThat(requests).isZero();
            assertThat(tokens).isZero();
          }
        }
        before = now;
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(wins[0] + wins[1] + wins[2]).isEqualTo(ROUNDS);
  }

  @ParameterizedTest
  @EnumSource
  void end_storeAwayOnce_isSettledLater(Meters.Kind kind) {
    Meters meters = new Meters();
    MeteredCall call = meters.builder(kind).build().begin(call(30));
    meters.faults.once(Calls.writes(), Fault.unreachable());

    assertThat(call.end(CallEnd.used(LlmUsage.of(30, 100)))).isTrue();

    assertThat(meters.faults.rulesLeft()).isZero();
    meters.closeLimiter();
    assertThat(meters.consumed()).isEqualTo(amounts(1, 130));
  }

  @Test
  void end_limiterClosedAndStoreAway_throwsUnlessThereIsAnAnswer() {
    Meters meters = new Meters();
    LlmMeter meter = meters.builder(Meters.Kind.BLOCKING).build();
    MeteredCall call = meter.begin(call(30));
    MeteredCall quiet = meter.begin(call(30));
    meters.faults.always(Calls.any(), Fault.unreachable());
    meters.closeLimiter();

    assertThatThrownBy(() -> call.end(CallEnd.used(LlmUsage.of(30, 100))))
        .isInstanceOf(LimiterUnavailableException.class);
    quiet.endQuietly(() -> CallEnd.used(LlmUsage.of(30, 100)));

    assertThat(meters.consumed()).isEqualTo(amounts(2, 100));
  }
}
