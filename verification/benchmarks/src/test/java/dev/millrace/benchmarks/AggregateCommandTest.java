package dev.millrace.benchmarks;

import static dev.millrace.benchmarks.Bencher.bench;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

final class AggregateCommandTest {
  /** How fast is for people to read; how many writes there are is the same everywhere. */
  @Test
  void aggregate_json_hasItsFigures() {
    Bencher run = bench("aggregate", "--seconds", "1", "--json");
    assertThat(run.exitCode()).isZero();
    JsonNode figures = run.json();
    assertThat(figures.get("scenario").asText()).isEqualTo("aggregate");
    assertThat(figures.get("recordsPerSecond").asDouble()).isPositive();
    double small = writes(figures, "100");
    double large = writes(figures, "1000");
    assertThat(small).isBetween(2_000.0, 3_000.0);
    assertThat(large).isLessThan(small).isGreaterThan(1_000);
    assertThat(figures.get("writesPer1000Records").asDouble()).isEqualTo(small);
  }

  private static double writes(JsonNode figures, String batch) {
    return figures.get("batches").get(batch).get("writesPer1000Records").asDouble();
  }
}
