package dev.millrace.core.vectors;

import static dev.millrace.core.vectors.Vectors.big;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketExpiry;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.vectors.RecordedVectors;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Seven times the longest time to fill. The original rounds everything down: the life to whole
 * seconds, and the time of day; here the time to fill is rounded up to a millisecond, the life and
 * the time of day to a second, so that nothing is forgotten early. Besides, the shortest life here
 * is an hour, and the latest end that of the year 9999.
 */
class ExpiryVectorsTest {
  private static final long LAST_SECOND = 253_402_300_799L;

  private int atLeastAnHour;
  private int upToTwoSecondsLonger;
  private int endless;

  @Test
  void expiresAtSeconds_recordedBuckets_isTheirsRoundedUp() {
    int otherMultiplier = 0;
    int withoutLimits = 0;
    for (JsonNode row : RecordedVectors.read("ttl").path("bucket")) {
      if (row.path("multiplier").asInt() != BucketExpiry.FILLS) {
        otherMultiplier++; // not configurable here
      } else if (row.path("limits").isEmpty()) {
        withoutLimits++; // a bucket without limits cannot be made here
      } else {
        compare(row);
      }
    }
    assertThat(otherMultiplier).isEqualTo(730);
    assertThat(withoutLimits).isEqualTo(3);
    assertThat(atLeastAnHour).isEqualTo(72);
    assertThat(upToTwoSecondsLonger).isEqualTo(276);
    assertThat(endless).isEqualTo(19);
  }

  private void compare(JsonNode row) {
    long nowMs = row.path("now_ms").asLong();
    List<LimitState> states = new ArrayList<>();
    BigInteger lifeMs = BigInteger.ZERO;
    for (JsonNode limit : row.path("limits")) {
      BigInteger fillMs =
          ceilDivide(
              big(limit.path("capacity").asLong())
                  .multiply(big(limit.path("refill_period_seconds").asLong() * 1_000)),
              big(limit.path("refill_amount").asLong()));
      lifeMs = lifeMs.max(fillMs.multiply(big(BucketExpiry.FILLS)));
      states.add(LimitState.full(limit(limit)));
    }
    long lifeSeconds = ceilDivide(lifeMs, big(1_000)).longValueExact();
    long nowSeconds = ceilDivide(big(nowMs), big(1_000)).longValueExact();
    long oursSeconds = BucketExpiry.expiresAtSeconds(nowMs, states);
    assertThat(oursSeconds)
        .isEqualTo(
            Math.min(
                LAST_SECOND, nowSeconds + Math.max(BucketExpiry.MIN_LIFE_SECONDS, lifeSeconds)));
    long theirsSeconds = row.path("out_ttl_epoch").asLong();
    if (oursSeconds == LAST_SECOND) {
      endless++;
    } else if (lifeSeconds < BucketExpiry.MIN_LIFE_SECONDS) {
      atLeastAnHour++;
      assertThat(oursSeconds).isGreaterThan(theirsSeconds);
    } else {
      upToTwoSecondsLonger++;
      assertThat(oursSeconds).as("%s", row).isBetween(theirsSeconds, theirsSeconds + 2);
    }
  }

  private static Limit limit(JsonNode row) {
    return Limit.custom(
        row.path("name").asText(),
        row.path("capacity").asLong(),
        row.path("refill_amount").asLong(),
        Duration.ofSeconds(row.path("refill_period_seconds").asLong()));
  }

  private static BigInteger ceilDivide(BigInteger a, BigInteger b) {
    return a.add(b).subtract(BigInteger.ONE).divide(b);
  }
}
