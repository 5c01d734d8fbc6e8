package dev.millrace.llm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LearnedEstimatorTest {
  private final CostEstimator estimator = CostEstimator.learning(new ModelTokenCounter());

  private static LlmCall chat(String model, int characters) {
    return LlmCall.chat("acme", model).message("水".repeat(characters)).build();
  }

  private void learn(LlmCall call, long input, int times) {
    for (int i = 0; i < times; i++) {
      estimator.observe(call, estimator.estimate(call), LlmUsage.of(input, 10));
    }
  }

  @Test
  void estimate_chat_addsWhatMessagesCost() {
    LlmCall call =
        LlmCall.chat("acme", "gpt-4o").message("hello").message("hello").tool("hello").build();

    assertThat(estimator.estimate(call).inputTokens()).isEqualTo(3 + 2 * 4 + 3);
  }

  @Test
  void estimate_embedding_hasNoOutput() {
    LlmCall call =
        LlmCall.embedding("acme", "text-embedding-3-small").message("hello world").build();

    assertThat(estimator.estimate(call)).isEqualTo(LlmUsage.of(2, 0));
  }

  @Test
  void estimate_unknownVocabulary_learnsWhatCharactersAre() {
    assertThat(estimator.estimate(chat("claude", 400)).inputTokens()).isEqualTo(107);

    learn(chat("claude", 400), 321, 5);

    assertThat(estimator.estimate(chat("claude", 400)).inputTokens()).isBetween(321L, 322L);
    assertThat(estimator.estimate(chat("claude", 800)).inputTokens()).isBetween(620L, 622L);
    assertThat(estimator.estimate(chat("mistral", 400)).inputTokens()).isEqualTo(107);
  }

  @Test
  void estimate_unknownVocabulary_followsAChange() {
    learn(chat("claude", 400), 321, 50);
    learn(chat("claude", 400), 107, 10 * InputRatios.HALF_LIFE);

    assertThat(estimator.estimate(chat("claude", 400)).inputTokens()).isBetween(107L, 109L);
  }

  @Test
  void estimate_unknownVocabulary_doesNotBelieveEverything() {
    learn(chat("claude", 400), 1_000_000, 5);

    assertThat(estimator.estimate(chat("claude", 400)).inputTokens()).isEqualTo(4 * 107);
  }

  @Test
  void estimate_knownVocabulary_isNotSecondGuessed() {
    long counted = estimator.estimate(chat("gpt-4o", 400)).inputTokens();

    learn(chat("gpt-4o", 400), 10 * counted, 5);

    assertThat(estimator.estimate(chat("gpt-4o", 400)).inputTokens()).isEqualTo(counted);
  }
}
