package dev.millrace.llm.estimate;

import dev.millrace.llm.LlmCall;
import dev.millrace.llm.Usage;

/**
 * Says what a call will use, before it is made. A high estimate refuses calls that would have
 * fitted; a low one lets a tenant run into debt. Called on the caller's thread by many at once: be
 * quick, and safe for them.
 */
public interface CostEstimator {
  /** What {@code call} will probably use. */
  Estimate estimate(LlmCall call);

  /**
   * Hears what a call that was answered in full used, to do better next time.
   *
   * @param estimate what was said before
   */
  default void observe(LlmCall call, Estimate estimate, Usage usage) {}

  /** The default: counts the input, and learns the output from what was seen. */
  static CostEstimator learning(TokenCounter counter) {
    return new LearnedEstimator(counter, new LearnedOutputs());
  }

  /**
   * Counts the input and expects as much output as the request allows, {@code otherwise} when it
   * does not say. Never too low when the request says, and far too high nearly always.
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
