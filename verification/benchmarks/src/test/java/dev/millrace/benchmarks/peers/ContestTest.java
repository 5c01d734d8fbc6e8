package dev.millrace.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.benchmarks.load.AnswerCounts;
import dev.millrace.benchmarks.load.Measurement;
import dev.millrace.benchmarks.load.StoreCost;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class ContestTest {
  @Test
  void row_threeRounds_hasTheRateOfTheMiddleOneAndTheLatenciesOfAll() {
    Contest contest = new Contest(new Bucket4jLocal(), "hot", List.of("tenant"));
    contest.add(round(900, 1_000));
    contest.add(round(100, 3_000));
    contest.add(round(500, 2_000));
    Comparison.Row row = contest.row();
    assertThat(row.perSecond()).isEqualTo(500);
    assertThat(row.p50Us()).isCloseTo(2, within(0.01));
    assertThat(row.p99Us()).isCloseTo(3, within(0.01));
    assertThat(row.workload()).isEqualTo("hot");
  }

  private static Measurement round(long admitted, long latencyNanos) {
    Histogram latencies = new Histogram(60_000_000_000L, 3);
    latencies.recordValue(latencyNanos);
    return new Measurement(
        1_000_000_000L,
        new AnswerCounts(admitted, 0, 0),
        StoreCost.NONE,
        latencies,
        List.of(),
        Map.of());
  }
}
