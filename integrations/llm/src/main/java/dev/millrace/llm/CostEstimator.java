package dev.millrace.llm;

/**
 * An estimator of the usage of a call, before it is made. A high estimate refuses calls that would
 * have fitted; a low one lets a tenant run into debt. Called on the caller's thread by many threads
 * at once: it must be quick and thread-safe.
 */
public interface CostEstimator {
  /**
   * The expected usage of {@code call}: its input, and an output that it probably does not exceed.
   */
  LlmUsage estimate(LlmCall call);

  /**
   * Receives the usage of a call that was answered in full, to improve later estimates.
   *
   * @param estimate the estimate of this call
   */
  default void observe(LlmCall call, LlmUsage estimate, LlmUsage usage) {}

  /** The default: counts the input, and learns the output from earlier answers. */
  static CostEstimator learning(TokenCounter counter) {
    return learning(counter, LearnedOutputs.DEFAULT_QUANTILE);
  }

  /**
   * The same, expecting the length that the part {@code quantile} of the answers did not exceed.
   */
  static CostEstimator learning(TokenCounter counter, double quantile) {
    return new LearnedEstimator(counter, quantile);
  }

  /**
   * Counts the input and expects as much output as the request allows, {@code otherwise} when it
   * sets no maximum. Never too low when there is a maximum, and far too high nearly always.
   */
  static CostEstimator maxTokens(TokenCounter counter, long otherwise) {
    return call -> {
      Long max = call.maxOutputTokens();
      boolean chat = call.kind() == LlmCall.Kind.CHAT;
      return LlmUsage.of(
          LearnedEstimator.inputTokens(call, counter),
          !chat ? 0 : max == null ? otherwise : max.longValue());
    };
  }
}
