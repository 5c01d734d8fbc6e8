package dev.millrace.llm.estimate;

import dev.millrace.llm.LlmCall;
import dev.millrace.llm.LlmUsage;

/**
 * An estimator of the usage of a call, before it is made. A high estimate refuses calls that would
 * have fitted; a low one lets a tenant run into debt. Called on the caller's thread by many threads
 * at once: it must be quick and thread-safe.
 */
public interface CostEstimator {
  /** The expected usage of {@code call}. */
  Estimate estimate(LlmCall call);

  /**
   * Receives the usage of a call that was answered in full, to improve later estimates.
   *
   * @param estimate the estimate of this call
   */
  default void observe(LlmCall call, Estimate estimate, LlmUsage usage) {}

  /** The default: counts the input, and learns the output from earlier answers. */
  static CostEstimator learning(TokenCounter counter) {
    return new LearnedEstimator(counter, new LearnedOutputs());
  }

  /**
   * Counts the input and expects as much output as the request allows, {@code otherwise} when it
   * sets no maximum. Never too low when there is a maximum, and far too high nearly always.
   */
  static CostEstimator maxTokens(TokenCounter counter, long otherwise) {
    return call -> {
      Long max = call.maxOutputTokens();
      boolean chat = call.kind() == LlmCall.Kind.CHAT;
      return new Estimate(
          InputTokens.of(call, counter), !chat ? 0 : max == null ? otherwise : max.longValue());
    };
  }
}
