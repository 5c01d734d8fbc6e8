package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit.Refill;
import dev.millrace.core.testing.Gen;
import org.junit.jupiter.api.Test;

class RefillTest {
  private static final long T = Gen.EPOCH_MS;
  private static final Refill TEN_A_MINUTE = Refill.of(10_000, 60_000);

  @Test
  void creditMilli_wholePeriods_isTheAmount() {
    assertThat(TEN_A_MINUTE.creditMilli(T, T + 60_000)).isEqualTo(10_000);
    assertThat(TEN_A_MINUTE.creditMilli(T, T + 180_000)).isEqualTo(30_000);
  }

  @Test
  void creditMilli_oneMillitokenEverySixMilliseconds_comesWithTheSixth() {
    assertThat(T % 6).isZero();
    assertThat(TEN_A_MINUTE.creditMilli(T, T + 5)).isZero();
    assertThat(TEN_A_MINUTE.creditMilli(T, T + 6)).isEqualTo(1);
    assertThat(TEN_A_MINUTE.creditMilli(T + 5, T + 6)).isEqualTo(1);
    assertThat(TEN_A_MINUTE.creditMilli(T + 6, T + 11)).isZero();
  }

  @Test
  void creditMilli_timeStandsOrGoesBack_isNothing() {
    assertThat(TEN_A_MINUTE.creditMilli(T, T)).isZero();
    assertThat(TEN_A_MINUTE.creditMilli(T, T - 1)).isZero();
    assertThat(TEN_A_MINUTE.creditMilli(Long.MAX_VALUE, Long.MIN_VALUE)).isZero();
  }

  @Test
  void creditMilli_before1970_countsOn() {
    assertThat(TEN_A_MINUTE.creditMilli(-6, 0)).isEqualTo(1);
    assertThat(TEN_A_MINUTE.creditMilli(-1, 0)).isEqualTo(1);
    assertThat(TEN_A_MINUTE.creditMilli(-60_000, 60_000)).isEqualTo(20_000);
  }

  @Test
  void creditMilli_tenMillionASecondSince1970_isExact() {
    Refill fast = Refill.of(10_000_000_000L, 1_000);

    // The cumulative floor itself is 1.7 × 10^19, beyond 64 bits; the difference is not.
    assertThat(fast.creditMilli(T, T + 1)).isEqualTo(10_000_000);
    assertThat(fast.creditMilli(T, T + 86_400_000)).isEqualTo(864_000_000_000_000L);
  }

  @Test
  void creditMilli_creditBeyond64Bits_saturates() {
    Refill fast = Refill.of(10_000_000_000L, 1_000);

    assertThat(fast.creditMilli(0, T)).isEqualTo(Long.MAX_VALUE);
    assertThat(fast.creditMilli(Long.MIN_VALUE, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(Refill.of(1, 1).creditMilli(Long.MIN_VALUE, Long.MAX_VALUE))
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void creditMilli_slowAcrossAllOfTime_isExact() {
    // 2^64 − 1 ms at one millitoken every two: floor((2^63 − 1) / 2) + 2^62.
    assertThat(Refill.of(1, 2).creditMilli(Long.MIN_VALUE, Long.MAX_VALUE))
        .isEqualTo(Long.MAX_VALUE);
    assertThat(Refill.of(1, 4).creditMilli(Long.MIN_VALUE, Long.MAX_VALUE))
        .isEqualTo((1L << 62) - 1);
  }

  @Test
  void earnedAtMs_nothingNeeded_isNow() {
    assertThat(TEN_A_MINUTE.earnedAtMs(T, 0)).isEqualTo(T);
    assertThat(TEN_A_MINUTE.earnedAtMs(T, -5)).isEqualTo(T);
  }

  @Test
  void earnedAtMs_oneMillitoken_isItsExactMillisecond() {
    assertThat(TEN_A_MINUTE.earnedAtMs(T, 1)).isEqualTo(T + 6);
    assertThat(TEN_A_MINUTE.earnedAtMs(T + 5, 1)).isEqualTo(T + 6);
    assertThat(TEN_A_MINUTE.earnedAtMs(T + 6, 1)).isEqualTo(T + 12);
  }

  @Test
  void earnedAtMs_beyond64Bits_saturates() {
    assertThat(Refill.of(1, 86_400_000).earnedAtMs(T, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(Refill.of(1, 1).earnedAtMs(Long.MAX_VALUE, 1)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void timeToEarnMs_anyAmount_isRoundedUp() {
    Refill sevenInThree = Refill.of(7, 3);

    assertThat(sevenInThree.timeToEarnMs(0)).isZero();
    assertThat(sevenInThree.timeToEarnMs(-1)).isZero();
    assertThat(sevenInThree.timeToEarnMs(1)).isEqualTo(1);
    assertThat(sevenInThree.timeToEarnMs(3)).isEqualTo(2);
    assertThat(sevenInThree.timeToEarnMs(7)).isEqualTo(3);
    assertThat(sevenInThree.timeToEarnMs(8)).isEqualTo(4);
    assertThat(Refill.of(1, 86_400_000).timeToEarnMs(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void of_productJustWithin63Bits_isComputed() {
    // Coprime: (2^32 + 1) × (2^31 − 1) = 2^63 − 2^31 − 1.
    Refill refill = Refill.of((1L << 32) + 1, (1L << 31) - 1);

    assertThat(refill.creditMilli(T, T + (1L << 31) - 1)).isEqualTo((1L << 32) + 1);
  }

  @Test
  void of_productBeyond63Bits_isRefused() {
    assertThatThrownBy(() -> Refill.of((1L << 32) + 1, 1L << 31))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "refill of 4294967297 millitokens every 2147483648 ms cannot be computed in 64 bits:"
                + " choose a rounder amount or period");
  }

  @Test
  void of_largeButRound_isComputedInLowestTerms() {
    Refill refill = Refill.of(1_000_000_000_000_000_000L, 86_400_000);

    assertThat(refill.creditMilli(T, T + 864)).isEqualTo(10_000_000_000_000L);
  }

  @Test
  void equals_sameRateOtherAmounts_isAnotherRefill() {
    assertThat(Refill.of(10, 1))
        .isEqualTo(Refill.of(10, 1))
        .hasSameHashCodeAs(Refill.of(10, 1))
        .isNotEqualTo(Refill.of(20, 2))
        .isNotEqualTo(Refill.of(10, 2))
        .hasToString("10 millitokens every 1 ms");
  }
}
