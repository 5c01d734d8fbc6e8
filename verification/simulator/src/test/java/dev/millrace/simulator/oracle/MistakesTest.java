package dev.millrace.simulator.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MistakesTest {
  /** A mistake that shows in none of so many runs is not found. */
  private static final int MAX_RUNS = 200;

  private static final int CALLS = 500;

  @ParameterizedTest
  @EnumSource(Mistakes.class)
  void wrote_aMistakeInTheWrites_isFound(Mistakes mistake) {
    for (long seed = 0; seed < MAX_RUNS; seed++) {
      try {
        new Crowd(new SplittableRandom(seed), new WatchedTable(mistake)).run(CALLS);
      } catch (Violation violation) {
        assertThat(violation.promise()).isEqualTo(mistake.breaks());
        return;
      }
    }
    throw new AssertionError(mistake + " was not found in " + MAX_RUNS + " runs");
  }
}
