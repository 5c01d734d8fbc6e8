package dev.millrace.simulator.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.internal.generator.Seeds;
import org.junit.jupiter.api.Test;

class CrowdTest {
  private static final int CASES = 250;
  private static final int CALLS = 2_000;

  @Test
  void wrote_realConversations_findsNoViolationAndTheBoundIsReached() {
    long[] writes = new long[1];
    double[] worst = new double[1];
    int[] ran = new int[1];
    Seeds.forEach(
        CASES,
        (random, seed) -> {
          WatchedTable table = new WatchedTable(WatchedTable.Mistake.NONE);
          new Crowd(random, table).run(CALLS);
          writes[0] += table.writes();
          worst[0] = Math.max(worst[0], table.worstBurst());
          ran[0]++;
        });
    if (ran[0] == CASES) {
      assertThat(writes[0]).isGreaterThan(200_000);
      assertThat(worst[0]).isBetween(0.99, 1.0);
    }
  }
}
