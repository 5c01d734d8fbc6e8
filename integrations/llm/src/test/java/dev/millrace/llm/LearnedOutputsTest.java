package dev.millrace.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LearnedOutputsTest {
  private static final long INPUT = 100;

  private final LearnedOutputs outputs = new LearnedOutputs(0.9);

  private static LlmCall call(String tenant, String model) {
    return LlmCall.chat(tenant, model).build();
  }

  private void learn(String tenant, String model, long tokens, int times) {
    for (int i = 0; i < times; i++) {
      outputs.observe(call(tenant, model), INPUT, tokens);
    }
  }

  @Test
  void expect_unseenModel_isTheDefault() {
    assertThat(outputs.expect(call("acme", "m"), INPUT)).isEqualTo(LearnedOutputs.UNKNOWN_OUTPUT);
  }

  @Test
  void expect_maxTokens_isNeverExceeded() {
    LlmCall bounded = LlmCall.chat("acme", "m").maxOutputTokens(20).build();

    assertThat(outputs.expect(bounded, INPUT)).isEqualTo(20);
    learn("acme", "m", 5_000, 50);
    assertThat(outputs.expect(bounded, INPUT)).isEqualTo(20);
  }

  @Test
  void expect_manySeen_isTheirQuantile() {
    learn("acme", "m", 300, 300);

    assertThat(outputs.expect(call("acme", "m"), INPUT)).isBetween(280L, 340L);
  }

  @Test
  void expect_newTenant_isTakenForOneOfTheModels() {
    learn("acme", "m", 100, 300);

    assertThat(outputs.expect(call("other", "m"), INPUT)).isBetween(90L, 150L);
    assertThat(outputs.expect(call("acme", "n"), INPUT)).isEqualTo(LearnedOutputs.UNKNOWN_OUTPUT);
  }

  @Test
  void expect_fewSeen_isBetweenTheTenantAndTheOthers() {
    learn("many", "m", 100, 300);
    learn("few", "m", 2_000, LearnedOutputs.HALF_TRUST);

    assertThat(outputs.expect(call("few", "m"), INPUT)).isBetween(1_000L, 2_000L);
    assertThat(outputs.expect(call("many", "m"), INPUT)).isBetween(90L, 200L);
  }

  @Test
  void expect_promptsOfOtherSize_areApart() {
    for (int i = 0; i < 200; i++) {
      outputs.observe(call("acme", "m"), 50, 20);
      outputs.observe(call("acme", "m"), 5_000, 900);
    }

    assertThat(outputs.expect(call("acme", "m"), 60)).isLessThan(100);
    assertThat(outputs.expect(call("acme", "m"), 6_000)).isGreaterThan(800);
  }

  @Test
  void expect_drift_isFollowed() {
    learn("acme", "m", 2_000, 1_000);
    learn("acme", "m", 50, 4 * OutputHistogram.HALF_LIFE);

    assertThat(outputs.expect(call("acme", "m"), INPUT)).isLessThan(60);
  }

  @Test
  void quantile_badOne_isRefused() {
    assertThatThrownBy(() -> new LearnedOutputs(1))
        .hasMessage("quantile 1.0 must be above 0 and below 1");
  }

  /** The law: a quantile of the histogram is the sample's, but for the width of a bin. */
  @Test
  void histogram_quantile_isTheSamples() {
    Random random = new Random(7);
    for (int round = 0; round < 50; round++) {
      OutputHistogram histogram = new OutputHistogram();
      long[] sample = new long[100]; // few enough that none has lost much weight
      for (int i = 0; i < sample.length; i++) {
        sample[i] = (long) Math.exp(random.nextGaussian() + 5);
        histogram.observe(sample[i]);
      }
      Arrays.sort(sample);

      assertThat(histogram.count()).isBetween(70.0, 100.0);
      assertThat(histogram.quantile(0.5)).isBetween(sample[30] * 0.9, sample[70] * 1.1);
      assertThat(histogram.quantile(0.9)).isBetween(sample[75] * 0.9, sample[99] * 1.1);
    }
  }

  @Test
  void histogram_manyObservations_stayFinite() {
    OutputHistogram histogram = new OutputHistogram();
    for (int i = 0; i < 100_000; i++) {
      histogram.observe(400);
    }

    assertThat(histogram.count()).isCloseTo(OutputHistogram.HALF_LIFE / Math.log(2), within(2.0));
    assertThat(histogram.quantile(0.5)).isBetween(360.0, 440.0);
  }

  @Test
  void histogram_extremes_areCounted() {
    OutputHistogram histogram = new OutputHistogram();
    assertThat(histogram.quantile(0.5)).isZero();
    histogram.observe(0);
    assertThat(histogram.quantile(0.5)).isLessThan(1);
    histogram.observe(Long.MAX_VALUE);
    assertThat(histogram.quantile(0.99)).isGreaterThan(1_000_000);
  }
}
