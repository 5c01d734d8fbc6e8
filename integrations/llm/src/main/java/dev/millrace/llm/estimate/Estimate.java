package dev.millrace.llm.estimate;

import dev.millrace.llm.LlmUsage;

/**
 * The expected usage of a call.
 *
 * @param inputTokens the expected input
 * @param outputTokens a number that the output probably does not exceed
 */
public record Estimate(long inputTokens, long outputTokens) {
  /** Checks that both can be counted. */
  public Estimate {
    usage(inputTokens, outputTokens);
  }

  /** The usage if the estimate were exact. */
  public LlmUsage usage() {
    return usage(inputTokens, outputTokens);
  }

  private static LlmUsage usage(long inputTokens, long outputTokens) {
    return LlmUsage.of(inputTokens, outputTokens);
  }
}
