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
public record Usage(
    long requests, long inputTokens, long cachedTokens, long cacheWriteTokens, long outputTokens) {
  /** Most of each part: weighted, a sum of all parts stays within 64 bits. */
  public static final long MAX_TOKENS = 100_000_000_000L;

  /** No consumption. */
  public static final Usage NONE = new Usage(0, 0, 0, 0, 0);

  /** Checks that no part is negative or too large, and that the cached parts are parts. */
  public Usage {
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
  public static Usage of(long inputTokens, long outputTokens) {
    return new Usage(1, inputTokens, 0, 0, outputTokens);
  }

  /** The same with {@code tokens} of the input read from a cache. */
  public Usage withCached(long tokens) {
    return new Usage(requests, inputTokens, tokens, cacheWriteTokens, outputTokens);
  }

  /** The same with {@code tokens} of the input written to a cache. */
  public Usage withCacheWrites(long tokens) {
    return new Usage(requests, inputTokens, cachedTokens, tokens, outputTokens);
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
