package dev.millrace.llm;

import dev.millrace.NameRules;

/**
 * The charge of one limit for a call: a weighted sum of the parts of its usage. Weights are in
 * thousandths, so the sum is exact; it is rounded up to a whole token, once for each call, so the
 * caller never gains.
 *
 * @param limit the charged limit
 * @param requestMilli for each request
 * @param inputMilli for each input token that is not cached
 * @param cachedMilli for each input token that was read from a cache
 * @param cacheWriteMilli for each input token that was written to a cache
 * @param outputMilli for each output token
 */
public record LimitCharge(
    String limit,
    long requestMilli,
    long inputMilli,
    long cachedMilli,
    long cacheWriteMilli,
    long outputMilli) {
  /** The weight of one token. */
  public static final long ONE = 1_000;

  /** Largest weight: a thousand tokens for each used one. */
  public static final long MAX_WEIGHT = 1_000 * ONE;

  public LimitCharge {
    NameRules.requireLimitName(limit);
    requireWeight(limit, "requestMilli", requestMilli);
    requireWeight(limit, "inputMilli", inputMilli);
    requireWeight(limit, "cachedMilli", cachedMilli);
    requireWeight(limit, "cacheWriteMilli", cacheWriteMilli);
    requireWeight(limit, "outputMilli", outputMilli);
    if (requestMilli + inputMilli + cachedMilli + cacheWriteMilli + outputMilli == 0) {
      throw new IllegalArgumentException(
          "limit '" + limit + "': every weight is 0, at least one must not be");
    }
  }

  /** One for each request. */
  public static LimitCharge requests(String limit) {
    return new LimitCharge(limit, ONE, 0, 0, 0, 0);
  }

  /** One for each token, in or out, cached or not. */
  public static LimitCharge tokens(String limit) {
    return new LimitCharge(limit, 0, ONE, ONE, ONE, ONE);
  }

  /** One for each input token, cached or not. */
  public static LimitCharge input(String limit) {
    return new LimitCharge(limit, 0, ONE, ONE, ONE, 0);
  }

  /** One for each output token. */
  public static LimitCharge output(String limit) {
    return new LimitCharge(limit, 0, 0, 0, 0, ONE);
  }

  /** The same with another weight, in thousandths, for tokens read from a cache. */
  public LimitCharge withCachedMilli(long weight) {
    return new LimitCharge(limit, requestMilli, inputMilli, weight, cacheWriteMilli, outputMilli);
  }

  /** The same with another weight, in thousandths, for tokens written to a cache. */
  public LimitCharge withCacheWriteMilli(long weight) {
    return new LimitCharge(limit, requestMilli, inputMilli, cachedMilli, weight, outputMilli);
  }

  /** The same with another weight, in thousandths, for output. */
  public LimitCharge withOutputMilli(long weight) {
    return new LimitCharge(limit, requestMilli, inputMilli, cachedMilli, cacheWriteMilli, weight);
  }

  /** The cost of {@code usage} in whole tokens, rounded up: the caller never gains. */
  public long amount(LlmUsage usage) {
    long milli =
        requestMilli * usage.requests()
            + inputMilli * usage.plainInputTokens()
            + cachedMilli * usage.cachedTokens()
            + cacheWriteMilli * usage.cacheWriteTokens()
            + outputMilli * usage.outputTokens();
    return -Math.floorDiv(-milli, ONE);
  }

  private static void requireWeight(String limit, String field, long weight) {
    if (weight < 0 || weight > MAX_WEIGHT) {
      throw new IllegalArgumentException(
          "limit '" + limit + "': " + field + " " + weight + " must be from 0 to " + MAX_WEIGHT);
    }
  }
}
