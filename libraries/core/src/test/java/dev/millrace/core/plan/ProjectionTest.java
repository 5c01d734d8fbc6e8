package dev.millrace.core.plan;

import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.request.Amounts;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProjectionTest {
  private static final long MAX_SKEW_MS = 10_000;

  /** One millitoken a millisecond. */
  private static final Limit RPM = Limit.perMinute("rpm", 60);

  private static final Limit TPM = Limit.perMinute("tpm", 6_000);
  private static final LimitSet ONE = LimitSet.of(RPM);
  private static final LimitSet BOTH = LimitSet.of(RPM, TPM);

  @Test
  void of_timePassed_earnsUpToTheCeiling() {
    BucketState state = bucket(T, holds(RPM, 10));

    assertThat(at(state, T).balanceMilli(0)).isEqualTo(10_000);
    assertThat(at(state, T + 1).balanceMilli(0)).isEqualTo(10_001);
    assertThat(at(state, T + 50_000).balanceMilli(0)).isEqualTo(60_000);
    assertThat(at(state, T + 50_001).balanceMilli(0)).isEqualTo(60_000);
    assertThat(at(state, T + 50_001).refilledAtMs()).isEqualTo(T + 50_001);
  }

  @Test
  void of_debt_isPaidFirst() {
    BucketState state = bucket(T, holds(RPM, -5));

    assertThat(at(state, T + 4_999).balanceMilli(0)).isEqualTo(-1);
    assertThat(at(state, T + 6_000).balanceMilli(0)).isEqualTo(1_000);
  }

  @Test
  void of_balanceAboveTheCeiling_isClippedEvenWithoutTime() {
    assertThat(at(bucket(T, holds(RPM, 75)), T).balanceMilli(0)).isEqualTo(60_000);
  }

  @Test
  void of_timestampSlightlyAhead_earnsNothingAndDoesNotMoveBack() {
    Projection projection = at(bucket(T + MAX_SKEW_MS, holds(RPM, 10)), T);

    assertThat(projection.balanceMilli(0)).isEqualTo(10_000);
    assertThat(projection.refilledAtMs()).isEqualTo(T + MAX_SKEW_MS);
  }

  @Test
  void of_timestampBeyondTheSkew_isHealedWithoutCredit() {
    Projection projection = at(bucket(T + MAX_SKEW_MS + 1, holds(RPM, 10)), T);

    assertThat(projection.balanceMilli(0)).isEqualTo(10_000);
    assertThat(projection.refilledAtMs()).isEqualTo(T);
  }

  @Test
  void of_changedLimit_earnsAtTheOldRateUpToBothCeilings() {
    Limit faster = Limit.perMinute("rpm", 600);
    Limit smaller = Limit.perMinute("rpm", 6);
    BucketState state = bucket(T, holds(RPM, 10));

    assertThat(at(state, LimitSet.of(faster), T + 5_000).balanceMilli(0)).isEqualTo(15_000);
    assertThat(at(state, LimitSet.of(faster), T + 500_000).balanceMilli(0)).isEqualTo(60_000);
    assertThat(at(state, LimitSet.of(smaller), T + 5_000).balanceMilli(0)).isEqualTo(6_000);
  }

  @Test
  void of_missingLimit_startsAtItsCeiling() {
    Projection projection = at(bucket(T, holds(RPM, 10)), BOTH, T + 1_000);

    assertThat(projection.balanceMilli(0)).isEqualTo(11_000);
    assertThat(projection.balanceMilli(1)).isEqualTo(6_000_000);
  }

  @Test
  void fits_wholeBalance_yesAndOneMillitokenMore_no() {
    Projection projection = at(bucket(T, holds(RPM, 10)), T);

    assertThat(projection.fits(tokens(ONE, 10))).isTrue();
    assertThat(projection.fits(Amounts.ofMilli(ONE, new long[] {10_001}))).isFalse();
  }

  @Test
  void fits_zero_asksOnlyThatTheLimitIsNotInDebt() {
    assertThat(at(bucket(T, holds(RPM, 0)), T).fits(tokens(ONE, 0))).isTrue();
    assertThat(at(bucket(T, new LimitState(RPM, -1, 0)), T).fits(tokens(ONE, 0))).isFalse();
  }

  @Test
  void fits_otherLimitInDebtAndNotNamed_isNotAsked() {
    Projection projection = at(bucket(T, holds(RPM, 10), holds(TPM, -1)), BOTH, T);

    assertThat(projection.fits(tokens(BOTH, 1))).isTrue();
    assertThat(projection.fits(tokens(BOTH, 1, 0))).isFalse();
  }

  @Test
  void take_severalInTurn_leavesLessForTheNext() {
    Projection projection = at(bucket(T, holds(RPM, 10)), T);
    projection.take(tokens(ONE, 6));

    assertThat(projection.fits(tokens(ONE, 5))).isFalse();
    assertThat(projection.fits(tokens(ONE, 4))).isTrue();
    assertThat(projection.isEmpty()).isFalse();
  }

  @Test
  void settle_charge_mayGoBelowZero() {
    Projection projection = at(bucket(T, holds(RPM, 10)), T);
    projection.settle(tokens(ONE, 12));

    assertThat(projection.balanceMilli(0)).isEqualTo(-2_000);
    assertThat(projection.settledMilli(0)).isEqualTo(12_000);
    assertThat(projection.isEmpty()).isFalse();
  }

  @Test
  void settle_refund_countsUpToTheCeiling() {
    Projection projection = at(bucket(T, holds(RPM, 55)), T);
    projection.settle(Amounts.ofMilli(ONE, new long[] {-10_000}));

    assertThat(projection.balanceMilli(0)).isEqualTo(60_000);
    assertThat(projection.settledMilli(0)).isEqualTo(-10_000);
  }

  @Test
  void reject_shortLimit_saysEveryLimitsStatus() {
    Projection projection = at(bucket(T, holds(RPM, 2), holds(TPM, 500)), BOTH, T);

    Rejection rejection = projection.reject(tokens(BOTH, 5, 100));

    assertThat(rejection.statuses())
        .containsExactly(
            new LimitStatus("key-42", "gpt-4", RPM, 2_000, 5_000, true, 3_000),
            new LimitStatus("key-42", "gpt-4", TPM, 500_000, 100_000, false, 0));
  }

  @Test
  void reject_debt_waitsForTheDebtToo() {
    Projection projection = at(bucket(T, holds(RPM, -3)), T);

    assertThat(projection.reject(tokens(ONE, 2)).retryAfterMs()).isEqualTo(5_000);
    assertThat(projection.reject(tokens(ONE, 0)).retryAfterMs()).isEqualTo(3_000);
  }

  @Test
  void reject_moreThanTheCeiling_isNever() {
    Rejection rejection = at(bucket(T, holds(RPM, 60)), T).reject(tokens(ONE, 61));

    assertThat(rejection.retryAfterMs()).isEqualTo(LimitStatus.NEVER);
    assertThat(rejection.retryAfter()).isEmpty();
  }

  @Test
  void reject_timestampAhead_waitsForTheClocksToMeet() {
    Projection projection = at(bucket(T + 4_000, holds(RPM, 0)), T);

    assertThat(projection.reject(tokens(ONE, 1)).retryAfterMs()).isEqualTo(5_000);
  }

  @Test
  void reject_changedLimit_waitsAtTheNewRate() {
    LimitSet faster = LimitSet.of(Limit.perMinute("rpm", 600));

    Rejection rejection =
        at(bucket(T, holds(RPM, -1)), faster, T + 1_000).reject(tokens(faster, 1));

    assertThat(rejection.retryAfter()).contains(Duration.ofMillis(100));
  }

  /** The lock must move when limits change, also where time does not; the wait is from now on. */
  @Test
  void reject_changedLimitAndTimestampAhead_waitsForTheClocksToMeet() {
    LimitSet faster = LimitSet.of(Limit.perMinute("rpm", 600));

    Projection projection = at(bucket(T + 4_000, holds(RPM, 0)), faster, T);

    assertThat(projection.refilledAtMs()).isEqualTo(T + 4_001);
    // 1 millitoken in that millisecond at the old rate, the other 999 at ten a millisecond
    assertThat(projection.reject(tokens(faster, 1)).retryAfterMs()).isEqualTo(4_101);
  }

  @Test
  void reject_demandThatFits_isABug() {
    Projection projection = at(bucket(T, holds(RPM, 1)), T);

    assertThatThrownBy(() -> projection.reject(tokens(ONE, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no limit is exceeded in [LimitStatus[");
  }

  @Test
  void isEmpty_nothingTaken_isTrue() {
    assertThat(at(bucket(T, holds(RPM, 1)), T).isEmpty()).isTrue();
  }

  private static Projection at(BucketState state, long nowMs) {
    return at(state, ONE, nowMs);
  }

  private static Projection at(BucketState state, LimitSet limits, long nowMs) {
    return Projection.of(state, limits, nowMs, MAX_SKEW_MS);
  }
}
