package dev.millrace.llm;

/**
 * The consumption of a call, as the provider counts it.
 *
 * <p>Providers differ in whether the input includes cached tokens. Here it does: {@code
 * inputTokens} is the whole input, and the other two say how much of it was cached.
 *
 * @param requests the number of requests; a loop over tools may make several
 * @param inputTokens the whole input
 * @param cachedTokens the part of it that was read from a cache
 * @param cacheWriteTokens the part of it that was written to a cache
 * @param outputTokens the whole output, thoughts and calls of tools included
 */
public record LlmUsage(
    long requests, long inputTokens, long cachedTokens, long cacheWriteTokens, long outputTokens) {
  /** Most of each part: weighted, a sum of all parts stays within 64 bits. */
  public static final long MAX_TOKENS = 100_000_000_000L;

  /** Checks that no part is negative or too large, and that the cached parts are parts. */
  public LlmUsage {
    requireCount("requests", requests);
    requireCount("inputTokens", inputTokens);
    requireCount("cachedTokens", cachedTokens);
    requireCount("cacheWriteTokens", cacheWriteTokens);
    requireCount("outputTokens", outputTokens);
    if (cachedTokens + cacheWriteTokens > inputTokens) {
      throw new IllegalArgumentException(
          "cachedTokens "
              + cachedTokens
              + " and cacheWriteTokens "
              + cacheWriteTokens
              + " are parts of inputTokens and must not exceed its "
              + inputTokens);
    }
  }

  /** One request without a cache. */
  public static LlmUsage of(long inputTokens, long outputTokens) {
    return new LlmUsage(1, inputTokens, 0, 0, outputTokens);
  }

  /** The same with {@code tokens} of the input read from a cache. */
  public LlmUsage withCached(long tokens) {
    return new LlmUsage(requests, inputTokens, tokens, cacheWriteTokens, outputTokens);
  }

  /** The same with {@code tokens} of the input written to a cache. */
  public LlmUsage withCacheWrites(long tokens) {
    return new LlmUsage(requests, inputTokens, cachedTokens, tokens, outputTokens);
  }

  /** The input that was neither read from nor written to a cache. */
  public long plainInputTokens() {
    return inputTokens - cachedTokens - cacheWriteTokens;
  }

  private static void requireCount(String field, long value) {
    if (value < 0 || value > MAX_TOKENS) {
      throw new IllegalArgumentException(field + " " + value + " must be from 0 to " + MAX_TOKENS);
    }
  }
}
