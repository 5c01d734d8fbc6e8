package dev.millrace.benchmarks;

import static dev.millrace.benchmarks.Bencher.bench;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every scenario runs on the model and yields its figures; how fast is not asserted. */
final class ScenariosTest {
  private static final List<String> FIGURES =
      List.of(
          "scenario",
          "backend",
          "requests",
          "admitted",
          "refused",
          "perSecond",
          "p50Us",
          "p99Us",
          "writesPerRequest",
          "readsPerRequest",
          "lookUpsPerRequest",
          "wcuPerRequest",
          "rcuPerRequest",
          "lookUpRcuPerRequest",
          "maxOverAdmission");

  @Test
  void single_onTheModel_comparesWithTheBareWrite() {
    JsonNode figures = run("single");
    assertThat(figures.get("rawP50Us").asDouble()).isPositive();
    assertThat(figures.get("rawPerSecond").asDouble()).isPositive();
    assertThat(figures.get("overhead").asDouble()).isPositive();
    assertThat(figures.get("writesPerRequest").asDouble()).isPositive();
  }

  @Test
  void hot_asyncCallers_shareWrites() {
    JsonNode figures = run("hot", "--callers", "32");
    assertThat(figures.get("admitted").asLong()).isPositive();
    assertThat(figures.get("writesPerRequest").asDouble()).isLessThan(0.5);
  }

  @Test
  void hot_threadsAndCallersOfTwoProcesses_run() {
    JsonNode figures = run("hot", "--callers", "4", "--threads", "4", "--processes", "2");
    assertThat(figures.get("processes").asInt()).isEqualTo(2);
    assertThat(figures.get("threads").asInt()).isEqualTo(4);
    assertThat(figures.get("admitted").asLong()).isPositive();
  }

  @Test
  void hot_withoutGrouping_writesForEachRequest() {
    JsonNode figures = run("hot", "--threads", "1", "--no-grouping");
    assertThat(figures.get("writesPerRequest").asDouble()).isGreaterThan(0.8);
  }

  @Test
  void spread_asyncCallers_run() {
    assertThat(run("spread", "--callers", "16").get("admitted").asLong()).isPositive();
  }

  @Test
  void manyProcesses_fewOfThem_areAdmitted() {
    JsonNode figures = run("many-processes", "--processes", "3", "--rate", "20");
    assertThat(figures.get("admitted").asLong()).isPositive();
    assertThat(figures.get("processes").asInt()).isEqualTo(3);
  }

  @Test
  void overload_twoProcesses_tellsHowMuchOfTheLimitWasAdmitted() {
    JsonNode figures = run("overload", "--processes", "2");
    assertThat(figures.get("limit").asLong()).isEqualTo(2_000);
    // Whether the limit is exceeded at all within a second depends on the machine.
    assertThat(figures.get("admittedOfLimit").asDouble()).isPositive();
  }

  @Test
  void refuse_exhausted_admitsNothing() {
    JsonNode figures = run("refuse", "--threads", "2");
    assertThat(figures.get("admitted").asLong()).isZero();
    assertThat(figures.get("refused").asLong()).isPositive();
    assertThat(figures.get("bucket4jLocalPerSecond").asDouble()).isPositive();
  }

  @Test
  void settle_threads_run() {
    assertThat(run("settle", "--threads", "8").get("admitted").asLong()).isPositive();
  }

  @Test
  void prefetch_twoPhases_tellTheShareOfTheOther() {
    JsonNode figures = run("prefetch", "--threads", "2");
    assertThat(figures.get("bucket4jLocalPerSecond").asDouble()).isPositive();
    assertThat(figures.get("otherFairShare").asDouble()).isPositive();
  }

  @Test
  void cascade_oneParent_sharesTheWritesOfTheParent() {
    JsonNode figures = run("cascade", "--children", "200", "--rate", "5000");
    assertThat(figures.get("children").asInt()).isEqualTo(200);
    assertThat(figures.get("depth").asInt()).isEqualTo(1);
    assertThat(figures.get("consistency").asText()).isEqualTo("parallel");
    assertThat(figures.get("admittedShare").asDouble()).isPositive();
    assertThat(figures.get("refused").asLong()).isZero();
    // Without sharing there would be two.
    assertThat(figures.get("writesPerRequest").asDouble()).isLessThan(1.5);
    assertThat(figures.get("wcuPerRequest")).isEqualTo(figures.get("writesPerRequest"));
    assertThat(figures.get("readsPerRequest").asDouble()).isZero();
    assertThat(figures.get("lookUpsPerRequest").asDouble()).isZero();
  }

  @Test
  void cascade_withoutGrouping_writesEveryBucketForEachRequest() {
    JsonNode figures =
        run("cascade", "--children", "5", "--depth", "3", "--rate", "50", "--no-grouping");
    assertThat(figures.get("admitted").asLong()).isPositive();
    assertThat(figures.get("writesPerRequest").asDouble()).isGreaterThanOrEqualTo(4);
  }

  @Test
  void cascade_transactional_paysTwiceForEachBucket() {
    JsonNode figures = run("cascade", "--children", "5", "--rate", "20", "--transactional");
    assertThat(figures.get("consistency").asText()).isEqualTo("transactional");
    double admitted =
        figures.get("admitted").asDouble() / Math.max(1, figures.get("requests").asDouble());
    assertThat(admitted).isPositive();
    assertThat(figures.get("writesPerRequest").asDouble()).isGreaterThanOrEqualTo(2 * admitted);
    assertThat(figures.get("wcuPerRequest").asDouble()).isGreaterThanOrEqualTo(4 * admitted);
  }

  @Test
  void shards_fewProcesses_tellEverySecond() {
    JsonNode figures = run(1.3, "shards", "--processes", "2", "--rate", "100", "--no-grouping");
    assertThat(figures.get("offeredPerSecond").asDouble()).isEqualTo(200);
    assertThat(figures.get("scarceLimit").asLong()).isEqualTo(140);
    assertThat(figures.get("scarceMaxOverAdmission").asDouble()).isBetween(0.1, 1.0);
    assertThat(figures.get("maxShards").asInt()).isEqualTo(1);
    assertThat(figures.get("throttledShareGrown").asDouble()).isZero();
    assertThat(figures.fieldNames())
        .toIterable()
        .contains("resizes", "splits", "merges", "wide", "leftElsewhere", "scarceGrowth")
        .contains("perSecondGrown", "admittedShareGrown", "secondsToGrow");
    JsonNode growth = figures.get("growth");
    assertThat(growth.size()).isBetween(1, 2);
    assertThat(growth.get(0).get("second").asInt()).isEqualTo(1);
    assertThat(growth.get(0).get("admitted").asLong()).isPositive();
    assertThat(growth.get(0).get("throttled").asLong()).isZero();
    assertThat(growth.get(0).get("shards").asInt()).isEqualTo(1);
  }

  /** Six times what a partition bears, so that it is divided also on a machine that is busy. */
  @Test
  void shards_moreThanAPartitionBears_divides() {
    JsonNode figures = run(3, "shards", "--processes", "4", "--rate", "1500", "--no-grouping");
    assertThat(figures.get("maxShards").asInt()).isGreaterThan(1);
    assertThat(figures.get("resizes").asLong()).isPositive();
    assertThat(figures.get("splits").asLong()).isPositive();
  }

  private static JsonNode run(String scenario, String... more) {
    return run(0.5, scenario, more);
  }

  private static JsonNode run(double seconds, String scenario, String... more) {
    List<String> args = new ArrayList<>(List.of(scenario, "--backend", "model", "--json"));
    args.addAll(List.of("--seconds", String.valueOf(seconds), "--warmup", "0", "--rtt", "2"));
    args.addAll(List.of(more));
    Bencher run = bench(args.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode figures = run.json();
    assertThat(figures.fieldNames()).toIterable().containsAll(FIGURES);
    assertThat(figures.get("scenario").asText()).isEqualTo(scenario);
    assertThat(figures.get("backend").asText()).isEqualTo("model");
    assertThat(figures.get("requests").asLong())
        .isEqualTo(
            figures.get("admitted").asLong()
                + figures.get("refused").asLong()
                + figures.get("failed").asLong());
    assertThat(figures.get("maxOverAdmission").asDouble()).isLessThanOrEqualTo(1);
    return figures;
  }
}
