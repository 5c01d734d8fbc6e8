package dev.millrace.core.spi.plan;

import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Amounts;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.Rejection;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BucketViewTest {
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
    assertThat(at(state, T + 50_001).earningFromMs).isEqualTo(T + 50_001);
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
    BucketView view = at(bucket(T + MAX_SKEW_MS, holds(RPM, 10)), T);

    assertThat(view.balanceMilli(0)).isEqualTo(10_000);
    assertThat(view.earningFromMs).isEqualTo(T + MAX_SKEW_MS);
  }

  @Test
  void of_timestampBeyondTheSkew_isHealedWithoutCredit() {
    BucketView view = at(bucket(T + MAX_SKEW_MS + 1, holds(RPM, 10)), T);

    assertThat(view.balanceMilli(0)).isEqualTo(10_000);
    assertThat(view.earningFromMs).isEqualTo(T);
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
    BucketView view = at(bucket(T, holds(RPM, 10)), BOTH, T + 1_000);

    assertThat(view.balanceMilli(0)).isEqualTo(11_000);
    assertThat(view.balanceMilli(1)).isEqualTo(6_000_000);
  }

  @Test
  void fits_wholeBalance_yesAndOneMillitokenMore_no() {
    BucketView view = at(bucket(T, holds(RPM, 10)), T);

    assertThat(view.fits(tokens(ONE, 10))).isTrue();
    assertThat(view.fits(Amounts.ofMilli(ONE, new long[] {10_001}))).isFalse();
  }

  @Test
  void fits_zero_asksOnlyThatTheLimitIsNotInDebt() {
    assertThat(at(bucket(T, holds(RPM, 0)), T).fits(tokens(ONE, 0))).isTrue();
    assertThat(at(bucket(T, new LimitState(RPM, -1, 0)), T).fits(tokens(ONE, 0))).isFalse();
  }

  @Test
  void fits_otherLimitInDebtAndNotNamed_isNotAsked() {
    BucketView view = at(bucket(T, holds(RPM, 10), holds(TPM, -1)), BOTH, T);

    assertThat(view.fits(tokens(BOTH, 1))).isTrue();
    assertThat(view.fits(tokens(BOTH, 1, 0))).isFalse();
  }

  @Test
  void take_severalInTurn_leavesLessForTheNext() {
    BucketView view = at(bucket(T, holds(RPM, 10)), T);
    view.take(tokens(ONE, 6));

    assertThat(view.fits(tokens(ONE, 5))).isFalse();
    assertThat(view.fits(tokens(ONE, 4))).isTrue();
    assertThat(view.isEmpty()).isFalse();
  }

  @Test
  void settle_charge_mayGoBelowZero() {
    BucketView view = at(bucket(T, holds(RPM, 10)), T);
    view.settle(tokens(ONE, 12));

    assertThat(view.balanceMilli(0)).isEqualTo(-2_000);
    assertThat(view.settledMilli(0)).isEqualTo(12_000);
    assertThat(view.isEmpty()).isFalse();
  }

  @Test
  void settle_refund_countsUpToTheCeiling() {
    BucketView view = at(bucket(T, holds(RPM, 55)), T);
    view.settle(Amounts.ofMilli(ONE, new long[] {-10_000}));

    assertThat(view.balanceMilli(0)).isEqualTo(60_000);
    assertThat(view.settledMilli(0)).isEqualTo(-10_000);
  }

  @Test
  void reject_shortLimit_saysEveryLimitsStatus() {
    BucketView view = at(bucket(T, holds(RPM, 2), holds(TPM, 500)), BOTH, T);

    Rejection rejection = view.reject(tokens(BOTH, 5, 100));

    assertThat(rejection.statuses())
        .containsExactly(
            new LimitStatus("key-42", "gpt-4", RPM, 2_000, 5_000, true, 3_000),
            new LimitStatus("key-42", "gpt-4", TPM, 500_000, 100_000, false, 0));
  }

  @Test
  void reject_debt_waitsForTheDebtToo() {
    BucketView view = at(bucket(T, holds(RPM, -3)), T);

    assertThat(view.reject(tokens(ONE, 2)).retryAfterMs()).isEqualTo(5_000);
    assertThat(view.reject(tokens(ONE, 0)).retryAfterMs()).isEqualTo(3_000);
  }

  @Test
  void reject_moreThanTheCeiling_isNever() {
    Rejection rejection = at(bucket(T, holds(RPM, 60)), T).reject(tokens(ONE, 61));

    assertThat(rejection.retryAfterMs()).isEqualTo(LimitStatus.NEVER);
    assertThat(rejection.retryAfter()).isEmpty();
  }

  @Test
  void reject_timestampAhead_waitsForTheClocksToMeet() {
    BucketView view = at(bucket(T + 4_000, holds(RPM, 0)), T);

    assertThat(view.reject(tokens(ONE, 1)).retryAfterMs()).isEqualTo(5_000);
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

    BucketView view = at(bucket(T + 4_000, holds(RPM, 0)), faster, T);

    assertThat(view.earningFromMs).isEqualTo(T + 4_001);
    // 1 millitoken in that millisecond at the old rate, the other 999 at ten a millisecond
    assertThat(view.reject(tokens(faster, 1)).retryAfterMs()).isEqualTo(4_101);
  }

  @Test
  void reject_demandThatFits_isABug() {
    BucketView view = at(bucket(T, holds(RPM, 1)), T);

    assertThatThrownBy(() -> view.reject(tokens(ONE, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no limit is exceeded in [LimitStatus[");
  }

  @Test
  void isEmpty_nothingTaken_isTrue() {
    assertThat(at(bucket(T, holds(RPM, 1)), T).isEmpty()).isTrue();
  }

  private static BucketView at(BucketState state, long nowMs) {
    return at(state, ONE, nowMs);
  }

  private static BucketView at(BucketState state, LimitSet limits, long nowMs) {
    return BucketView.of(state, limits, nowMs, MAX_SKEW_MS);
  }
}
