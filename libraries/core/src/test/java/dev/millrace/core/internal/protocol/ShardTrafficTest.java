package dev.millrace.core.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.testing.Laws;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ShardTrafficTest {
  private static final int RUNS = 200;

  @Test
  void run_splitsMergesConflictsAndLostAnswers_booksAgreeWithTheShards() {
    Map<String, Integer> endings = new TreeMap<>();
    int ran =
        Laws.check(
            RUNS,
            gen -> {
              ShardTraffic traffic = new ShardTraffic(gen, /* changesLimits= */ gen.oneIn(2));
              traffic.run(60);
              traffic.endings.forEach((how, count) -> endings.merge(how, count, Integer::sum));
            });
    if (ran == RUNS) {
      assertThat(endings)
          .as("every ending was met")
          .containsKeys(
              "commit Admitted",
              "commit Settled",
              "commit Rejected",
              "commit Gone",
              "commit Outdated",
              "commit Unavailable",
              "wide Admitted",
              "wide Rejected",
              "wide Outdated",
              "wide Unavailable",
              "reshape NONE",
              "reshape SPLIT",
              "reshape MERGED",
              "reshape FAILED",
              "resize true",
              "resize false",
              "refresh CHANGED",
              "refresh ABSENT");
      assertThat(endings.getOrDefault("wide Admitted", 0)).isGreaterThan(RUNS);
    }
  }
}
