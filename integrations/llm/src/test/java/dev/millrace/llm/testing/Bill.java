package dev.millrace.llm.testing;

import dev.millrace.llm.Usage;

/**
 * What a provider has counted for one tenant.
 *
 * @param requests requests that it worked on
 * @param inputTokens what went in
 * @param cachedTokens how much of it was cached
 * @param outputTokens what came out
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
  public Usage usage() {
    return new Usage(requests, inputTokens, cachedTokens, 0, outputTokens);
  }
}
