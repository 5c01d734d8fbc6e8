package dev.millrace.llm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The default estimate is better than the two that come to mind first. */
class EstimatorExperimentTest {
  @ParameterizedTest
  @ValueSource(longs = {EstimatorExperiment.SEED, 1, 2, 3})
  void learned_besideMaxTokensAndLastValue_isBetter(long seed) {
    List<EstimatorExperiment.Result> results = EstimatorExperiment.run(seed);
    EstimatorExperiment.Result learned = results.get(0);
    EstimatorExperiment.Result maxTokens = results.get(1);
    EstimatorExperiment.Result last = results.get(2);

    // Nothing ever exceeds max_tokens; the price is many times what is reserved in vain.
    assertThat(maxTokens.abovePercent()).isZero();
    assertThat(learned.overPercent()).isLessThan(maxTokens.overPercent() / 4);
    assertThat(learned.needlessPercent()).isLessThan(maxTokens.needlessPercent() / 2);
    // The last answer is too little half of the time.
    assertThat(learned.abovePercent()).isLessThan(last.abovePercent() / 2);
    assertThat(learned.underPercent()).isLessThan(last.underPercent() / 2);
    assertThat(learned.needlessPercent()).isLessThan(last.needlessPercent());
    // And it is what it says: about the share that the quantile leaves.
    assertThat(learned.abovePercent()).isBetween(10.0, 20.0);
  }
}
