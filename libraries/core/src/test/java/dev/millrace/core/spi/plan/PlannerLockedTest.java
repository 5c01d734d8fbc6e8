package dev.millrace.core.spi.plan;

import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Amounts;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a write under the lock changes and demands. */
class PlannerLockedTest {
  /** One millitoken a millisecond. */
  private static final Limit RPM = Limit.perMinute("rpm", 60);

  private static final Limit TPM = Limit.perMinute("tpm", 6_000);
  private static final LimitSet ONE = LimitSet.of(RPM);
  private static final LimitSet BOTH = LimitSet.of(RPM, TPM);

  @Test
  void locked_acquire_claimsAndConsumesWithinBothBounds() {
    BucketView view = at(bucket(T, holds(RPM, 10)), ONE, T + 3_000);
    view.take(tokens(ONE, 5));

    assertThat(locked(view))
        .isEqualTo(
            new WritePlan.Locked(
                KEY,
                T,
                T + 3_000,
                // 3 earned, 5 taken: at least 2 must be met, and no more than 57
                List.of(new LimitChange("rpm", -2_000, 5_000, 2_000, 57_000)),
                WritePlan.Parameters.UNCHANGED,
                (T + 3_000) / 1_000 + 3_600,
                "op"));
  }

  @Test
  void locked_limitNotNamed_claimsWithoutADemand() {
    BucketView view = at(bucket(T, holds(RPM, 10), holds(TPM, 1_000)), BOTH, T + 3_000);
    view.take(tokens(BOTH, 5));

    assertThat(locked(view).changes())
        .containsExactly(
            new LimitChange("rpm", -2_000, 5_000, 2_000, 57_000),
            LimitChange.unconditional("tpm", 300_000, 0));
  }

  @Test
  void locked_limitNamedWithZero_demandsThatItIsNotInDebt() {
    BucketView view = at(bucket(T, holds(RPM, 10)), ONE, T + 3_000);
    view.take(tokens(ONE, 0));

    assertThat(locked(view).changes())
        .containsExactly(new LimitChange("rpm", 3_000, 0, -3_000, 57_000));
  }

  @Test
  void locked_noTimePassed_stillHasAChangeForEveryLimit() {
    BucketView view = at(bucket(T, holds(RPM, 10), holds(TPM, 1_000)), BOTH, T);
    view.take(tokens(BOTH, 5));

    assertThat(locked(view).changes())
        .containsExactly(
            new LimitChange("rpm", -5_000, 5_000, 5_000, 60_000),
            LimitChange.unconditional("tpm", 0, 0));
  }

  @Test
  void locked_creditReachesTheCeilingExactly_isNotClipped() {
    BucketView view = at(bucket(T, holds(RPM, 57)), ONE, T + 3_000);
    view.take(tokens(ONE, 5));

    assertThat(locked(view).changes())
        .containsExactly(new LimitChange("rpm", -2_000, 5_000, 2_000, 57_000));
  }

  @Test
  void locked_clippedCredit_demandsTheExactBalance() {
    BucketView view = at(bucket(T, holds(RPM, 57)), ONE, T + 3_001);
    view.take(tokens(ONE, 5));

    assertThat(locked(view).changes())
        .containsExactly(new LimitChange("rpm", -2_000, 5_000, 57_000, 57_000));
  }

  @Test
  void locked_clippedCreditOfALimitNotNamed_demandsNoLessThanWasRead() {
    BucketView view = at(bucket(T, holds(RPM, 10), holds(TPM, 5_999)), BOTH, T + 3_000);
    view.take(tokens(BOTH, 1));

    assertThat(locked(view).changes().get(1))
        .isEqualTo(new LimitChange("tpm", 1_000, 0, 5_999_000, LimitChange.NO_CEILING));
  }

  @Test
  void locked_balanceAboveTheCeiling_isClippedByTheWrite() {
    BucketView view = at(bucket(T, holds(RPM, 75)), ONE, T);
    view.take(tokens(ONE, 5));

    assertThat(locked(view).changes())
        .containsExactly(new LimitChange("rpm", -20_000, 5_000, 75_000, 75_000));
  }

  @Test
  void locked_chargeAlone_hasNoDemand() {
    BucketView view = at(bucket(T, holds(RPM, 10)), ONE, T + 3_000);
    view.settle(tokens(ONE, 20));

    assertThat(locked(view).changes())
        .containsExactly(LimitChange.unconditional("rpm", -17_000, 20_000));
  }

  @Test
  void locked_refundAndAcquire_countTogether() {
    BucketView view = at(bucket(T, holds(RPM, 10)), ONE, T + 3_000);
    view.settle(Amounts.ofMilli(ONE, new long[] {-4_000}));
    view.take(tokens(ONE, 17));

    // 17 − 4 = 13 taken and 3 earned: 10 must be met; what is met may grow by 3 + 4 up to 60
    assertThat(locked(view).changes())
        .containsExactly(new LimitChange("rpm", -10_000, 13_000, 10_000, 53_000));
  }

  @Test
  void locked_refundAboveTheCeiling_isClippedAndDemandsNoLessThanWasRead() {
    BucketView view = at(bucket(T, holds(RPM, 58)), ONE, T);
    view.settle(Amounts.ofMilli(ONE, new long[] {-4_000}));

    assertThat(locked(view).changes())
        .containsExactly(new LimitChange("rpm", 2_000, -4_000, 58_000, LimitChange.NO_CEILING));
  }

  @Test
  void locked_timestampSlightlyAhead_staysWhereItIs() {
    BucketView view = at(bucket(T + 5_000, holds(RPM, 10)), ONE, T);
    view.take(tokens(ONE, 1));

    WritePlan.Locked plan = locked(view);
    assertThat(plan.expectedRefilledAtMs()).isEqualTo(T + 5_000);
    assertThat(plan.refilledAtMs()).isEqualTo(T + 5_000);
    assertThat(plan.changes())
        .containsExactly(new LimitChange("rpm", -1_000, 1_000, 1_000, 60_000));
  }

  @Test
  void locked_wildTimestamp_goesBackToNowWithoutCredit() {
    BucketView view = at(bucket(T + 3_600_000, holds(RPM, 10)), ONE, T);
    view.take(tokens(ONE, 1));

    WritePlan.Locked plan = locked(view);
    assertThat(plan.expectedRefilledAtMs()).isEqualTo(T + 3_600_000);
    assertThat(plan.refilledAtMs()).isEqualTo(T);
    assertThat(plan.changes())
        .containsExactly(new LimitChange("rpm", -1_000, 1_000, 1_000, 60_000));
  }

  @Test
  void locked_debtLeft_livesLonger() {
    Limit daily = Limit.perDay("rpd", 100);
    LimitSet limits = LimitSet.of(daily);
    BucketView view = at(bucket(T, holds(daily, 100)), limits, T);
    view.settle(tokens(limits, 150));

    // 50 of debt and 100 to the ceiling: seven times a day and a half
    assertThat(locked(view).expiresAtSeconds()).isEqualTo(T / 1_000 + 907_200);
  }

  private static BucketView at(BucketState state, LimitSet limits, long nowMs) {
    return BucketView.of(state, limits, nowMs, PlanSettings.DEFAULT.maxSkewMs());
  }

  private static WritePlan.Locked locked(BucketView view) {
    return (WritePlan.Locked)
        WritePlanner.write(view, /* contended= */ false, PlanSettings.DEFAULT, "op");
  }
}
