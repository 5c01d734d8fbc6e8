package dev.millrace.core.spi.plan;

import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Buckets are created, and their limits change, in the write that consumes. */
class PlannerParametersTest {
  /** One millitoken a millisecond. */
  private static final Limit RPM = Limit.perMinute("rpm", 60);

  private static final Limit TPM = Limit.perMinute("tpm", 6_000);
  private static final LimitSet ONE = LimitSet.of(RPM);
  private static final LimitSet BOTH = LimitSet.of(RPM, TPM);

  @Test
  void create_acquire_startsAtTheCeilingLessWhatIsTaken() {
    LimitSet limits = LimitSet.of(RPM.withBurst(90), TPM);
    BucketView view = at(BucketState.full(KEY, limits, T), limits, T);
    view.take(tokens(limits, 5));

    assertThat(WritePlanner.create(view, "op").state())
        .isEqualTo(
            new BucketState(
                KEY,
                T,
                List.of(
                    new LimitState(RPM.withBurst(90), 85_000, 5_000),
                    new LimitState(TPM, 6_000_000, 0)),
                T / 1_000 + 3_600,
                "op"));
  }

  @Test
  void create_charge_mayStartInDebt() {
    BucketView view = at(BucketState.full(KEY, ONE, T), ONE, T);
    view.settle(tokens(ONE, 70));

    assertThat(WritePlanner.create(view, "op").state().limits())
        .containsExactly(new LimitState(RPM, -10_000, 70_000));
  }

  @Test
  void locked_limitAdded_startsAtItsCeilingLessWhatIsTaken() {
    BucketView view = at(bucket(T, holds(RPM, 10)), BOTH, T + 1_000);
    view.take(tokens(BOTH, 1, 500));

    WritePlan.Locked plan = locked(view);
    assertThat(plan.changes()).containsExactly(new LimitChange("rpm", 0, 1_000, 0, 59_000));
    assertThat(plan.parameters())
        .isEqualTo(
            new WritePlan.Parameters(
                List.of(), List.of(new LimitState(TPM, 5_500_000, 500_000)), List.of()));
  }

  @Test
  void locked_limitRaised_settlesAtTheOldRateAndSetsTheNewOne() {
    Limit faster = Limit.perMinute("rpm", 600);
    LimitSet limits = LimitSet.of(faster);
    BucketView view = at(bucket(T, holds(RPM, 10)), limits, T + 5_000);
    view.take(tokens(limits, 1));

    WritePlan.Locked plan = locked(view);
    assertThat(plan.changes())
        .containsExactly(new LimitChange("rpm", 4_000, 1_000, -4_000, 595_000));
    assertThat(plan.parameters())
        .isEqualTo(new WritePlan.Parameters(List.of(faster), List.of(), List.of()));
  }

  @Test
  void locked_limitLowered_clipsToTheNewCeiling() {
    Limit smaller = Limit.perMinute("rpm", 6);
    LimitSet limits = LimitSet.of(smaller);
    BucketView view = at(bucket(T, holds(RPM, 10)), limits, T + 5_000);
    view.take(tokens(limits, 1));

    // 15 are there, 6 may stay, 1 is taken: from exactly 10 to 5
    WritePlan.Locked plan = locked(view);
    assertThat(plan.changes())
        .containsExactly(new LimitChange("rpm", -5_000, 1_000, 10_000, 10_000));
    assertThat(plan.parameters().set()).containsExactly(smaller);
  }

  @Test
  void locked_orphanNotFull_earnsOnAndStays() {
    BucketView view = at(bucket(T, holds(RPM, 10), holds(TPM, 5_000)), ONE, T + 9_999);
    view.take(tokens(ONE, 1));

    WritePlan.Locked plan = locked(view);
    assertThat(plan.changes())
        .containsExactly(
            new LimitChange("rpm", 8_999, 1_000, -8_999, 50_001),
            LimitChange.unconditional("tpm", 999_900, 0));
    assertThat(plan.parameters()).isEqualTo(WritePlan.Parameters.UNCHANGED);
  }

  @Test
  void locked_orphanFull_goesUnlessItIsLowerByThen() {
    BucketView view = at(bucket(T, holds(RPM, 10), holds(TPM, 5_000)), ONE, T + 10_000);
    view.take(tokens(ONE, 1));

    WritePlan.Locked plan = locked(view);
    assertThat(plan.changes()).extracting(LimitChange::name).containsExactly("rpm");
    assertThat(plan.parameters())
        .isEqualTo(
            new WritePlan.Parameters(
                List.of(), List.of(), List.of(new WritePlan.Removal("tpm", 5_000_000))));
  }

  @Test
  void locked_orphanInDebt_keepsTheBucketAlive() {
    Limit rpd = Limit.perDay("rpd", 100);
    BucketView view = at(bucket(T, holds(RPM, 10), holds(rpd, -50)), ONE, T);
    view.take(tokens(ONE, 1));

    assertThat(locked(view).expiresAtSeconds()).isEqualTo(T / 1_000 + 907_200);
  }

  @Test
  void locked_limitsChangeAndNoTimePassed_movesTheLockByAMillisecond() {
    BucketView view = at(bucket(T, holds(RPM, 10)), BOTH, T);
    view.take(tokens(BOTH, 1));

    WritePlan.Locked plan = locked(view);
    assertThat(plan.refilledAtMs()).isEqualTo(T + 1);
    assertThat(plan.changes()).containsExactly(new LimitChange("rpm", -999, 1_000, 999, 59_999));
  }

  @Test
  void locked_everythingAtOnce_isOneWrite() {
    Limit rpd = Limit.perDay("rpd", 100);
    Limit faster = Limit.perMinute("rpm", 600);
    LimitSet limits = LimitSet.of(rpd, faster);
    BucketView view = at(bucket(T, holds(RPM, 10), holds(TPM, 6_000)), limits, T);
    view.take(tokens(limits, 1, 2));

    WritePlan.Locked plan = locked(view);
    assertThat(plan.changes()).extracting(LimitChange::name).containsExactly("rpm");
    assertThat(plan.parameters())
        .isEqualTo(
            new WritePlan.Parameters(
                List.of(faster),
                List.of(new LimitState(rpd, 99_000, 1_000)),
                List.of(new WritePlan.Removal("tpm", 6_000_000))));
    assertThat(plan.parameters().isUnchanged()).isFalse();
  }

  private static BucketView at(BucketState state, LimitSet limits, long nowMs) {
    return BucketView.of(state, limits, nowMs, PlanSettings.DEFAULT.maxSkewMs());
  }

  private static WritePlan.Locked locked(BucketView view) {
    return (WritePlan.Locked)
        WritePlanner.write(view, /* contended= */ false, PlanSettings.DEFAULT, "op");
  }
}
