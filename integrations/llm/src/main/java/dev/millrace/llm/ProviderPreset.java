package dev.millrace.llm;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import java.time.Duration;

/**
 * The limits of a big provider: the limits, and the weights by which it counts. The quotas are
 * parameters, as they depend on the plan. Names of limits are those that the providers use: {@code
 * rpm} requests a minute, {@code tpm} tokens a minute, {@code itpm} and {@code otpm} input and
 * output tokens a minute, {@code rpd} and {@code tpd} the same a day.
 *
 * <p>A bucket that holds a minute's quota and earns another in that minute admits almost twice the
 * quota in a minute that begins when it is full. A provider whose own buckets refill all the time
 * accepts that; one that counts requests within a minute or a day does not. For the latter, burst
 * and refill of a period are together the provider's number: a tenth of the requests, or half of
 * the tokens, at once, and the remainder over the period.
 *
 * @param shape the charged limits, with their weights
 * @param limits the limits, to be stored for a resource or to come with each call
 */
public record ProviderPreset(LimitShape shape, LimitSet limits) {
  /** Five for one, in thousandths. */
  private static final long FIVEFOLD = 5 * LimitCharge.ONE;

  /** The part of requests that may come at once where they are counted in windows. */
  private static final long REQUESTS_AT_ONCE = 10;

  /** The same for tokens: half, since one call takes many, which must fit into the burst. */
  private static final long TOKENS_AT_ONCE = 2;

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration DAY = Duration.ofDays(1);

  /** Every charged limit must exist, and every limit must be charged. */
  public ProviderPreset {
    for (LimitCharge charge : shape.charges()) {
      if (limits.indexOf(charge.limit()) < 0) {
        throw new IllegalArgumentException(
            "limit '" + charge.limit() + "' is charged and not one of " + limits.names());
      }
    }
    if (limits.size() != shape.charges().size()) {
      throw new IllegalArgumentException(
          "limits " + limits.names() + ": each must be charged, " + shape.charges() + " are");
    }
  }

  /**
   * OpenAI's: requests and tokens, input and output alike, cached or not. It is assumed to refill
   * all the time, as these limits do: up to twice the number within one minute.
   */
  public static ProviderPreset openAi(long rpm, long tpm) {
    return new ProviderPreset(
        LimitShape.of(LimitCharge.requests("rpm"), LimitCharge.tokens("tpm")),
        LimitSet.of(Limit.perMinute("rpm", rpm), Limit.perMinute("tpm", tpm)));
  }

  /** OpenAI's where requests and tokens of a day are limited too. */
  public static ProviderPreset openAi(long rpm, long tpm, long rpd, long tpd) {
    return new ProviderPreset(
        LimitShape.of(
            LimitCharge.requests("rpm"),
            LimitCharge.tokens("tpm"),
            LimitCharge.requests("rpd"),
            LimitCharge.tokens("tpd")),
        LimitSet.of(
            Limit.perMinute("rpm", rpm),
            Limit.perMinute("tpm", tpm),
            Limit.perDay("rpd", rpd),
            Limit.perDay("tpd", tpd)));
  }

  /**
   * Anthropic's: requests, input and output separately. Tokens written to a cache count as input,
   * tokens read from it do not. It is assumed to refill all the time, as these limits do: up to
   * twice the number within one minute.
   */
  public static ProviderPreset anthropic(long rpm, long itpm, long otpm) {
    return anthropic(rpm, itpm, otpm, /* cachedMilli= */ 0);
  }

  /**
   * The same with a weight, in thousandths, for tokens read from a cache: 1,000 for the models that
   * count them in full, 100 to limit their price.
   */
  public static ProviderPreset anthropic(long rpm, long itpm, long otpm, long cachedMilli) {
    return new ProviderPreset(
        LimitShape.of(
            LimitCharge.requests("rpm"),
            LimitCharge.input("itpm").withCachedMilli(cachedMilli),
            LimitCharge.output("otpm")),
        LimitSet.of(
            Limit.perMinute("rpm", rpm),
            Limit.perMinute("itpm", itpm),
            Limit.perMinute("otpm", otpm)));
  }

  /**
   * Gemini's: requests a minute and a day, and input tokens a minute. Output is not limited. No
   * more than the number pass in any minute or any 24 hours; one call may take half of {@code tpm}.
   */
  public static ProviderPreset gemini(long rpm, long tpm, long rpd) {
    return new ProviderPreset(
        LimitShape.of(
            LimitCharge.requests("rpm"), LimitCharge.input("tpm"), LimitCharge.requests("rpd")),
        LimitSet.of(
            window("rpm", rpm, REQUESTS_AT_ONCE, MINUTE),
            window("tpm", tpm, TOKENS_AT_ONCE, MINUTE),
            window("rpd", rpd, REQUESTS_AT_ONCE, DAY)));
  }

  /**
   * Bedrock's: requests and tokens, where tokens read from a cache are free. No more than the
   * number pass in any minute; one call may take half of {@code tpm}.
   */
  public static ProviderPreset bedrock(long rpm, long tpm) {
    return bedrock(rpm, tpm, LimitCharge.ONE);
  }

  /** Bedrock's for the models that count output five times. */
  public static ProviderPreset bedrockFivefoldOutput(long rpm, long tpm) {
    return bedrock(rpm, tpm, FIVEFOLD);
  }

  private static ProviderPreset bedrock(long rpm, long tpm, long outputMilli) {
    return new ProviderPreset(
        LimitShape.of(
            LimitCharge.requests("rpm"),
            LimitCharge.tokens("tpm").withCachedMilli(0).withOutputMilli(outputMilli)),
        LimitSet.of(
            window("rpm", rpm, REQUESTS_AT_ONCE, MINUTE),
            window("tpm", tpm, TOKENS_AT_ONCE, MINUTE)));
  }

  /**
   * At most {@code number} in every {@code period}, wherever it begins: burst and refill meanwhile
   * are together no more. Of a number of one the period is between two.
   */
  private static Limit window(String name, long number, long partAtOnce, Duration period) {
    long atOnce = Math.max(1, number / partAtOnce);
    return Limit.custom(name, Math.min(atOnce, number), Math.max(1, number - atOnce), period);
  }
}
