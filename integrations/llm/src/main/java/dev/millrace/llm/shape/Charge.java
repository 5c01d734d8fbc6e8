package dev.millrace.llm.shape;

import dev.millrace.core.entity.Names;
import dev.millrace.llm.Usage;

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
public record Charge(
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

  /** Checks the name and every weight. */
  public Charge {
    Names.requireLimitName(limit);
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
  public static Charge requests(String limit) {
    return new Charge(limit, ONE, 0, 0, 0, 0);
  }

  /** One for each token, in or out, cached or not. */
  public static Charge tokens(String limit) {
    return new Charge(limit, 0, ONE, ONE, ONE, ONE);
  }

  /** One for each input token, cached or not. */
  public static Charge input(String limit) {
    return new Charge(limit, 0, ONE, ONE, ONE, 0);
  }

  /** One for each output token. */
  public static Charge output(String limit) {
    return new Charge(limit, 0, 0, 0, 0, ONE);
  }

  /** The same with another weight, in thousandths, for tokens read from a cache. */
  public Charge withCachedMilli(long weight) {
    return new Charge(limit, requestMilli, inputMilli, weight, cacheWriteMilli, outputMilli);
  }

  /** The same with another weight, in thousandths, for tokens written to a cache. */
  public Charge withCacheWriteMilli(long weight) {
    return new Charge(limit, requestMilli, inputMilli, cachedMilli, weight, outputMilli);
  }

  /** The same with another weight, in thousandths, for output. */
  public Charge withOutputMilli(long weight) {
    return new Charge(limit, requestMilli, inputMilli, cachedMilli, cacheWriteMilli, weight);
  }

  /** The cost of {@code usage} in whole tokens, rounded up: the caller never gains. */
  public long amount(Usage usage) {
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
