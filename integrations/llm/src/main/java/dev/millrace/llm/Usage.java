package dev.millrace.llm;

/**
 * What a call used, as the provider counts.
 *
 * <p>Providers differ in whether the input includes what came from a cache. Here it does: {@code
 * inputTokens} is everything that went in, and the other two say how much of it was cached.
 *
 * @param requests how many requests it was; a loop over tools may be several
 * @param inputTokens everything that went in
 * @param cachedTokens how much of it was read from a cache
 * @param cacheWriteTokens how much of it was written to a cache
 * @param outputTokens everything that came out, thoughts and calls of tools included
 */
public record Usage(
    long requests, long inputTokens, long cachedTokens, long cacheWriteTokens, long outputTokens) {
  /** Most of each part: weighted, a sum of all parts stays within 64 bits. */
  public static final long MAX_TOKENS = 100_000_000_000L;

  /** Nothing at all. */
  public static final Usage NONE = new Usage(0, 0, 0, 0, 0);

  /** Checks that no part is negative or beyond counting, and that the cached part is a part. */
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

  /** What went in and had nothing to do with a cache. */
  public long plainInputTokens() {
    return inputTokens - cachedTokens - cacheWriteTokens;
  }

  private static void requireCount(String field, long value) {
    if (value < 0 || value > MAX_TOKENS) {
      throw new IllegalArgumentException(field + " " + value + " must be from 0 to " + MAX_TOKENS);
    }
  }
}
