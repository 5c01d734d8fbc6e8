package dev.millrace.benchmarks;

import static dev.millrace.benchmarks.Bencher.bench;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

final class RegionsBenchCommandTest {
  /** Time is simulated, so these figures are the same everywhere. */
  @Test
  void regions_json_usesTheQuotaAndNeverExceedsIt() {
    Bencher run = bench("regions", "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode figures = run.json();
    assertThat(figures.get("scenario").asText()).isEqualTo("regions");
    assertThat(figures.get("skewUtilisation").asDouble()).isBetween(0.95, 1.0);
    assertThat(figures.get("movingUtilisation").asDouble()).isBetween(0.90, 1.0);
    assertThat(figures.get("flashUtilisation").asDouble()).isBetween(0.95, 1.0);
    assertThat(figures.get("maxOverAdmission").asDouble()).isBetween(0.9, 1.0);
    assertThat(figures.get("staticSkewUtilisation").asDouble()).isLessThan(0.5);
    assertThat(figures.get("staticMaxOverAdmission").asDouble()).isLessThanOrEqualTo(1);
    assertThat(figures.get("countsMaxOverAdmission").asDouble()).isGreaterThan(1.2);
  }

  @Test
  void regionsCost_json_tellsWhatAWindowCosts() {
    Bencher run = bench("regions-cost", "--pairs=100,200", "--windows=1", "--json");
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode costs = run.json().get("costs");
    assertThat(costs).hasSize(2);
    assertThat(costs.get(1).get("pairs").asInt()).isEqualTo(200);
    assertThat(costs.get(1).get("cpuMs").asDouble()).isPositive();
    assertThat(costs.get(1).get("publishedBytes").asLong())
        .isGreaterThan(costs.get(0).get("publishedBytes").asLong());
    assertThat(bench("regions-cost", "--pairs=1").exitCode()).isEqualTo(2);
  }
}
