package dev.millrace.llm.testing;

import dev.millrace.llm.LlmUsage;

/**
 * The count of a provider for one tenant.
 *
 * @param requests processed requests
 * @param inputTokens the input
 * @param cachedTokens the cached part of it
 * @param outputTokens the output
 */
public record Bill(long requests, long inputTokens, long cachedTokens, long outputTokens) {
  /** Nothing yet. */
  public static final Bill NONE = new Bill(0, 0, 0, 0);

  Bill plus(Bill more) {
    return new Bill(
        requests + more.requests,
        inputTokens + more.inputTokens,
        cachedTokens + more.cachedTokens,
        outputTokens + more.outputTokens);
  }

  /** The same as what a call used. */
  public LlmUsage usage() {
    return new LlmUsage(requests, inputTokens, cachedTokens, 0, outputTokens);
  }
}
