package dev.millrace.core.plan;

import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
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
    Projection projection = at(BucketState.full(KEY, limits, T), limits, T);
    projection.take(tokens(limits, 5));

    assertThat(Planner.create(projection, "op").state())
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
    Projection projection = at(BucketState.full(KEY, ONE, T), ONE, T);
    projection.settle(tokens(ONE, 70));

    assertThat(Planner.create(projection, "op").state().limits())
        .containsExactly(new LimitState(RPM, -10_000, 70_000));
  }

  @Test
  void locked_limitAdded_startsAtItsCeilingLessWhatIsTaken() {
    Projection projection = at(bucket(T, holds(RPM, 10)), BOTH, T + 1_000);
    projection.take(tokens(BOTH, 1, 500));

    WritePlan.Locked plan = locked(projection);
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
    Projection projection = at(bucket(T, holds(RPM, 10)), limits, T + 5_000);
    projection.take(tokens(limits, 1));

    WritePlan.Locked plan = locked(projection);
    assertThat(plan.changes())
        .containsExactly(new LimitChange("rpm", 4_000, 1_000, -4_000, 595_000));
    assertThat(plan.parameters())
        .isEqualTo(new WritePlan.Parameters(List.of(faster), List.of(), List.of()));
  }

  @Test
  void locked_limitLowered_clipsToTheNewCeiling() {
    Limit smaller = Limit.perMinute("rpm", 6);
    LimitSet limits = LimitSet.of(smaller);
    Projection projection = at(bucket(T, holds(RPM, 10)), limits, T + 5_000);
    projection.take(tokens(limits, 1));

    // 15 are there, 6 may stay, 1 is taken: from exactly 10 to 5
    WritePlan.Locked plan = locked(projection);
    assertThat(plan.changes())
        .containsExactly(new LimitChange("rpm", -5_000, 1_000, 10_000, 10_000));
    assertThat(plan.parameters().set()).containsExactly(smaller);
  }

  @Test
  void locked_orphanNotFull_earnsOnAndStays() {
    Projection projection = at(bucket(T, holds(RPM, 10), holds(TPM, 5_000)), ONE, T + 9_999);
    projection.take(tokens(ONE, 1));

    WritePlan.Locked plan = locked(projection);
    assertThat(plan.changes())
        .containsExactly(
            new LimitChange("rpm", 8_999, 1_000, -8_999, 50_001),
            LimitChange.unconditional("tpm", 999_900, 0));
    assertThat(plan.parameters()).isEqualTo(WritePlan.Parameters.UNCHANGED);
  }

  @Test
  void locked_orphanFull_goesUnlessItIsLowerByThen() {
    Projection projection = at(bucket(T, holds(RPM, 10), holds(TPM, 5_000)), ONE, T + 10_000);
    projection.take(tokens(ONE, 1));

    WritePlan.Locked plan = locked(projection);
    assertThat(plan.changes()).extracting(LimitChange::name).containsExactly("rpm");
    assertThat(plan.parameters())
        .isEqualTo(
            new WritePlan.Parameters(
                List.of(), List.of(), List.of(new WritePlan.Removal("tpm", 5_000_000))));
  }

  @Test
  void locked_orphanInDebt_keepsTheBucketAlive() {
    Limit rpd = Limit.perDay("rpd", 100);
    Projection projection = at(bucket(T, holds(RPM, 10), holds(rpd, -50)), ONE, T);
    projection.take(tokens(ONE, 1));

    assertThat(locked(projection).expiresAtSeconds()).isEqualTo(T / 1_000 + 907_200);
  }

  @Test
  void locked_limitsChangeAndNoTimePassed_movesTheLockByAMillisecond() {
    Projection projection = at(bucket(T, holds(RPM, 10)), BOTH, T);
    projection.take(tokens(BOTH, 1));

    WritePlan.Locked plan = locked(projection);
    assertThat(plan.refilledAtMs()).isEqualTo(T + 1);
    assertThat(plan.changes()).containsExactly(new LimitChange("rpm", -999, 1_000, 999, 59_999));
  }

  @Test
  void locked_everythingAtOnce_isOneWrite() {
    Limit rpd = Limit.perDay("rpd", 100);
    Limit faster = Limit.perMinute("rpm", 600);
    LimitSet limits = LimitSet.of(rpd, faster);
    Projection projection = at(bucket(T, holds(RPM, 10), holds(TPM, 6_000)), limits, T);
    projection.take(tokens(limits, 1, 2));

    WritePlan.Locked plan = locked(projection);
    assertThat(plan.changes()).extracting(LimitChange::name).containsExactly("rpm");
    assertThat(plan.parameters())
        .isEqualTo(
            new WritePlan.Parameters(
                List.of(faster),
                List.of(new LimitState(rpd, 99_000, 1_000)),
                List.of(new WritePlan.Removal("tpm", 6_000_000))));
    assertThat(plan.parameters().isUnchanged()).isFalse();
  }

  private static Projection at(BucketState state, LimitSet limits, long nowMs) {
    return Projection.of(state, limits, nowMs, PlanSettings.DEFAULT.maxSkewMs());
  }

  private static WritePlan.Locked locked(Projection projection) {
    return (WritePlan.Locked)
        Planner.write(projection, /* contended= */ false, PlanSettings.DEFAULT, "op");
  }
}
