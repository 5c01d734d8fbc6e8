package dev.millrace.benchmarks;

import static dev.millrace.benchmarks.Bencher.bench;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The short form of what the command shows over a minute. */
final class AwayCommandTest {
  @ParameterizedTest
  @ValueSource(strings = {"FROZEN", "REFUSED"})
  void away_sixSeconds_answersAtOnceAndIsBackWithinTwoSeconds(String manner) {
    Bencher run = bench("away", "--seconds", "6", "--manner", manner, "--json");
    assertThat(run.exitCode()).isZero();
    JsonNode figures = run.json();
    assertThat(figures.get("answers").asInt()).isGreaterThan(500);
    assertThat(figures.get("p50Ms").asDouble()).isLessThanOrEqualTo(50);
    assertThat(figures.get("p99Ms").asDouble()).as("on a machine that builds").isLessThan(1_000);
    assertThat(figures.get("mostThreads").asInt()).isLessThan(100);
    assertThat(figures.get("backMs").asDouble()).isLessThan(2_000);
    assertThat(figures.get("refusedAfterMs").asDouble()).isLessThan(2_500);
    assertThat(figures.get("absences").asInt()).isEqualTo(1);
  }
}
