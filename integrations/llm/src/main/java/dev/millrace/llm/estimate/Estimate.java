package dev.millrace.llm.estimate;

import dev.millrace.llm.Usage;

/**
 * What a call will probably use.
 *
 * @param inputTokens what goes in
 * @param outputTokens what is likely not to be exceeded by what comes out
 */
public record Estimate(long inputTokens, long outputTokens) {
  /** Checks that both can be counted. */
  public Estimate {
    usage(inputTokens, outputTokens);
  }

  /** The estimate as if it were true. */
  public Usage usage() {
    return usage(inputTokens, outputTokens);
  }

  private static Usage usage(long inputTokens, long outputTokens) {
    return Usage.of(inputTokens, outputTokens);
  }
}
