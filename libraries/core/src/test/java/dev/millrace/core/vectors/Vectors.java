package dev.millrace.core.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.testing.Buckets;
import java.math.BigDecimal;
import java.math.BigInteger;

/** What the comparisons with recorded vectors share. */
final class Vectors {
  private Vectors() {}

  /** Whether our bounds and 64 bits allow the limit of {@code row}. */
  static boolean isAllowed(JsonNode row) {
    return row.path("capacity_milli").asLong() <= Limit.MAX_TOKENS * Limit.MILLI
        && row.path("refill_amount_milli").asLong() <= Limit.MAX_TOKENS * Limit.MILLI;
  }

  static Refill refill(JsonNode row) {
    return Refill.of(
        row.path("refill_amount_milli").asLong(), row.path("refill_period_ms").asLong());
  }

  /** The limit of {@code row}; the original knows no burst, its capacity is the ceiling. */
  static Limit limit(String name, JsonNode row) {
    long capacityMilli = row.path("capacity_milli").asLong();
    return new Limit(name, capacityMilli, capacityMilli, refill(row));
  }

  /** The bucket of {@code row} with one limit. */
  static BucketState bucket(Limit limit, JsonNode row) {
    return Buckets.bucket(
        row.path("last_refill_ms").asLong(),
        new LimitState(limit, row.path("tokens_milli").asLong(), 0));
  }

  /**
   * Whether a balance stands above the ceiling that the original does not clip because it has
   * nothing to credit: no time passed, or less than a millitoken's.
   */
  static boolean isSurplus(JsonNode bucket, long elapsedMs) {
    BigInteger product = big(elapsedMs).multiply(big(bucket.path("refill_amount_milli").asLong()));
    return bucket.path("tokens_milli").asLong() > bucket.path("capacity_milli").asLong()
        && product.compareTo(big(bucket.path("refill_period_ms").asLong())) < 0;
  }

  static long elapsedMs(JsonNode row) {
    return row.path("now_ms").asLong() - row.path("last_refill_ms").asLong();
  }

  /** How far the timestamp is ahead, where that is believed: nothing is earned until then. */
  static long aheadMs(JsonNode row) {
    return isWild(row) ? 0 : Math.max(0, -elapsedMs(row));
  }

  static boolean isWild(JsonNode row) {
    return elapsedMs(row) < -PlanSettings.DEFAULT.maxSkewMs();
  }

  static BigDecimal millis(JsonNode seconds) {
    return seconds.decimalValue().movePointRight(3);
  }

  /**
   * Asserts that a wait of ours is right beside one of the original, and returns whether they are
   * within 2 ms of each other.
   *
   * <p>The original drops the fraction of a millitoken that time has earned, once in the balance
   * and once in the wait, and adds a millisecond; ours counts both fractions. So ours is later by
   * at most a millisecond, and sooner by at most the time of two millitokens and a millisecond.
   */
  static boolean assertRetryAfter(long oursMs, JsonNode theirSeconds, Refill refill) {
    BigDecimal theirsMs = millis(theirSeconds);
    BigDecimal laterMs = BigDecimal.valueOf(oursMs).subtract(theirsMs);
    BigDecimal roundingMs = theirsMs.movePointLeft(14); // theirs is a double
    long twoMillitokensMs = SaturatedMath.ceilDivide(2 * refill.periodMs(), refill.amountMilli());
    assertThat(laterMs)
        .isLessThanOrEqualTo(BigDecimal.ONE.add(roundingMs))
        .isGreaterThanOrEqualTo(BigDecimal.valueOf(-1 - twoMillitokensMs).subtract(roundingMs));
    boolean within2Ms = laterMs.abs().compareTo(BigDecimal.valueOf(2).add(roundingMs)) <= 0;
    if (refill.amountMilli() >= refill.periodMs()) {
      assertThat(within2Ms).as("a token a second or faster: within 2 ms").isTrue();
    }
    return within2Ms;
  }

  static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }
}
