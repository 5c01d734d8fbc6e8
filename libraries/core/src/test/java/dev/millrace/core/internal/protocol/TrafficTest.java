package dev.millrace.core.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.testing.Laws;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TrafficTest {
  private static final int RUNS = 2_000;

  @Test
  void run_conflictsLostAnswersAndChangingLimits_booksAgreeWithTheBuckets() {
    Map<String, Integer> endings = new TreeMap<>();
    int ran =
        Laws.check(
            RUNS,
            gen -> {
              Traffic traffic = new Traffic(gen);
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
              "commit Disabled",
              "commit Outdated",
              "commit Unavailable",
              "joint Admitted",
              "joint Rejected",
              "joint Disabled",
              "joint Outdated",
              "joint Unavailable",
              "refresh CHANGED",
              "refresh UNCHANGED",
              "refresh ABSENT",
              "refresh FAILED");
      assertThat(endings.getOrDefault("joint Admitted", 0)).isGreaterThan(RUNS);
    }
  }
}
