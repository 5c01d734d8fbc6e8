package dev.millrace.core.vectors;

import static dev.millrace.core.vectors.Vectors.big;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.Limit.Refill;
import dev.millrace.vectors.RecordedVectors;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/** The time in which a deficit is refilled. */
class RetryAfterVectorsTest {
  @Test
  void timeToEarnMs_recordedDeficits_isExactAndWithin2Ms() {
    int nothing = 0;
    int beyond = 0;
    int compared = 0;
    int within2Ms = 0;
    for (JsonNode row : RecordedVectors.read("retry_after")) {
      long deficitMilli = row.path("deficit_milli").asLong();
      Refill refill = Vectors.refill(row);
      long oursMs = refill.timeToEarnMs(deficitMilli);
      if (deficitMilli <= 0) {
        nothing++;
        assertThat(oursMs).isZero();
        assertThat(row.path("out_seconds").decimalValue()).isZero();
      } else if (isBeyond64Bits(deficitMilli, refill)) {
        beyond++;
        assertThat(oursMs).isEqualTo(Long.MAX_VALUE);
      } else {
        compared++;
        // The least whole number of milliseconds that is enough.
        BigInteger needed = big(deficitMilli).multiply(big(refill.periodMs()));
        assertThat(big(oursMs).multiply(big(refill.amountMilli()))).isGreaterThanOrEqualTo(needed);
        assertThat(big(oursMs - 1).multiply(big(refill.amountMilli()))).isLessThan(needed);
        within2Ms += Vectors.assertRetryAfter(oursMs, row.path("out_seconds"), refill) ? 1 : 0;
        assertPhase(refill, deficitMilli, oursMs);
      }
    }
    assertThat(nothing).isEqualTo(248);
    assertThat(beyond).isEqualTo(1);
    assertThat(compared).isEqualTo(1_114);
    assertThat(within2Ms).isEqualTo(compared);
  }

  private static boolean isBeyond64Bits(long deficitMilli, Refill refill) {
    return big(deficitMilli)
            .multiply(big(refill.periodMs()))
            .divide(big(refill.amountMilli()))
            .bitLength()
        >= Long.SIZE;
  }

  /** From an instant in the midst of a millitoken the wait is the same or shorter by its part. */
  private static void assertPhase(Refill refill, long deficitMilli, long wholeMs) {
    long fromMs = 1_700_000_000_123L;
    long waitMs = refill.earnedAtMs(fromMs, deficitMilli) - fromMs;
    assertThat(big(wholeMs - waitMs).multiply(big(refill.amountMilli())))
        .isBetween(BigInteger.ZERO, big(refill.periodMs()).add(big(refill.amountMilli())));
  }
}
