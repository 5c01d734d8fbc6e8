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
import dev.millrace.LimitStatus;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A soft limit is charged like any other, and never a reason to refuse. */
class SoftLimitTest {
  private static final Limit RPM = Limit.perMinute("rpm", 60);

  /** A token in ten milliseconds. */
  private static final Limit TPM = Limit.perMinute("tpm", 6_000).asSoft();

  private static final LimitSet BOTH = LimitSet.of(RPM, TPM);
  private static final LimitSet SOFT = LimitSet.of(TPM);

  @Test
  void fits_moreThanThereIs_passes() {
    BucketView view = at(bucket(T, holds(RPM, 10), holds(TPM, 100)), BOTH, T);

    assertThat(view.fits(tokens(BOTH, 10, 9_000))).isTrue();
    assertThat(view.fits(tokens(BOTH, 11, 1))).isFalse();
    assertThat(view.fitsLeaving(tokens(BOTH, 1, 9_000), tokens(BOTH, 9, 9_000))).isTrue();
    assertThat(view.fitsLeaving(tokens(BOTH, 1, 1), tokens(BOTH, 10, 0))).isFalse();
  }

  @Test
  void fits_inDebt_passes() {
    assertThat(at(bucket(T, holds(TPM, -100)), SOFT, T).fits(tokens(SOFT, 0))).isTrue();
  }

  @Test
  void take_moreThanThereIs_goesBelowZero() {
    BucketView view = at(bucket(T, holds(TPM, 100)), SOFT, T);
    view.take(tokens(SOFT, 150));
    view.take(tokens(SOFT, 7_000));

    assertThat(view.balanceMilli(0)).isEqualTo(-7_050_000);
    assertThat(view.acquiredMilli(0)).isEqualTo(7_150_000);
  }

  @Test
  void take_moreThanCanBeWrittenDown_stopsThere() {
    BucketView view = at(bucket(T, holds(TPM, 0)), SOFT, T);
    for (int i = 0; i < 20; i++) {
      view.take(tokens(SOFT, Limit.MAX_TOKENS));
    }

    assertThat(view.balanceMilli(0)).isEqualTo(Long.MIN_VALUE);
    assertThat(view.acquiredMilli(0)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void statuses_short_areNotExceededButOverdrawn() {
    BucketView view = at(bucket(T, holds(RPM, 10), holds(TPM, 100)), BOTH, T);

    List<LimitStatus> statuses = view.statuses(tokens(BOTH, 11, 101));

    assertThat(statuses)
        .containsExactly(
            new LimitStatus("key-42", "gpt-4", RPM, 10_000, 11_000, true, 1_000),
            new LimitStatus("key-42", "gpt-4", TPM, 100_000, 101_000, false, 0));
    assertThat(statuses).extracting(LimitStatus::overdrawn).containsExactly(false, true);
  }

  @Test
  void overdrawn_enoughAndNotInDebt_isFalse() {
    assertThat(overdrawn(100, 100)).isFalse();
    assertThat(overdrawn(0, 0)).isFalse();
    assertThat(overdrawn(-1, 0)).isTrue();
  }

  private static boolean overdrawn(long holds, long asked) {
    return at(bucket(T, holds(TPM, holds)), SOFT, T)
        .statuses(tokens(SOFT, asked))
        .get(0)
        .overdrawn();
  }

  @Test
  void statusesIfAdmitted_balanceGoneSince_exceedsNothing() {
    BucketView view = at(bucket(T, holds(RPM, 3), holds(TPM, 100)), BOTH, T);
    Amounts amounts = tokens(BOTH, 5, 101);

    assertThat(view.statusesIfAdmitted(amounts))
        .containsExactly(
            new LimitStatus("key-42", "gpt-4", RPM, 3_000, 5_000, false, 0),
            new LimitStatus("key-42", "gpt-4", TPM, 100_000, 101_000, false, 0));

    view.settle(amounts.negated());
    assertThat(view.statusesIfAdmitted(amounts))
        .extracting(LimitStatus::availableMilli)
        .containsExactly(8_000L, 201_000L);
  }

  @Test
  void consume_soft_demandsNothing() {
    BucketView view = at(bucket(T, holds(RPM, 10), holds(TPM, 100)), BOTH, T + 80);
    view.take(tokens(BOTH, 1, 500));

    assertThat(((WritePlan.Consume) write(view, true)).changes())
        .containsExactly(
            new LimitChange("rpm", -1_000, 1_000, 1_000, 60_000),
            LimitChange.unconditional("tpm", -500_000, 500_000));
  }

  @Test
  void locked_soft_claimsAndDemandsNothing() {
    BucketView view = at(bucket(T, holds(TPM, 100)), SOFT, T + 1_000);
    view.take(tokens(SOFT, 500));

    for (boolean contended : new boolean[] {false, true}) {
      assertThat(WritePlanner.locked(view, contended, "op").changes())
          .containsExactly(LimitChange.unconditional("tpm", -400_000, 500_000));
    }
  }

  @Test
  void locked_softAndClipped_demandsNoLessThanWasReadUnlessOthersWriteToo() {
    BucketView view = at(bucket(T, holds(TPM, 5_990)), SOFT, T + 1_000);
    view.take(tokens(SOFT, 10));

    assertThat(WritePlanner.locked(view, /* contended= */ false, "op").changes())
        .containsExactly(new LimitChange("tpm", 0, 10_000, 5_990_000, LimitChange.NO_CEILING));
    assertThat(WritePlanner.locked(view, /* contended= */ true, "op").changes())
        .containsExactly(LimitChange.unconditional("tpm", 0, 10_000));
  }

  @Test
  void locked_hardLimitMadeSoft_isSetAndDemandsNothing() {
    Limit hard = Limit.perMinute("tpm", 6_000);
    BucketView view = at(bucket(T, holds(hard, 100)), SOFT, T);
    view.take(tokens(SOFT, 500));

    WritePlan.Locked plan = WritePlanner.locked(view, false, "op");
    assertThat(plan.parameters().set()).containsExactly(TPM);
    assertThat(plan.refilledAtMs()).isEqualTo(T + 1);
    assertThat(plan.changes()).containsExactly(LimitChange.unconditional("tpm", -499_900, 500_000));
  }

  @Test
  void create_softTakenBelowZero_startsInDebtAndLivesLonger() {
    Limit daily = Limit.perDay("tpd", 100).asSoft();
    LimitSet limits = LimitSet.of(daily);
    BucketView view = at(BucketState.full(KEY, limits, T), limits, T);
    view.take(tokens(limits, 150));

    BucketState created = WritePlanner.create(view, "op").state();
    assertThat(created.limits()).containsExactly(new LimitState(daily, -50_000, 150_000));
    // 50 of debt and 100 to the ceiling: seven times a day and a half
    assertThat(created.expiresAtSeconds()).isEqualTo(T / 1_000 + 907_200);
  }

  private static BucketView at(BucketState state, LimitSet limits, long nowMs) {
    return BucketView.of(state, limits, nowMs, PlanSettings.DEFAULT.maxSkewMs());
  }

  private static WritePlan write(BucketView view, boolean contended) {
    return WritePlanner.write(view, contended, PlanSettings.DEFAULT, "op");
  }
}
