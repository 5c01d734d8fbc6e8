package dev.millrace.core.plan;

import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.request.Amounts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a bucket may be consumed without a claim, and what that write demands. */
class PlannerConsumeTest {
  private static final Limit RPM = Limit.perMinute("rpm", 60);
  private static final Limit TPM = Limit.perMinute("tpm", 6_000);
  private static final LimitSet ONE = LimitSet.of(RPM);
  private static final LimitSet BOTH = LimitSet.of(RPM, TPM);

  @Test
  void write_contendedAndFresh_consumesWithoutTheLock() {
    Projection projection = at(bucket(T, holds(RPM, 10)), ONE, T + 80);
    projection.take(tokens(ONE, 5));

    assertThat(write(projection, true))
        .isEqualTo(
            new WritePlan.Consume(
                KEY,
                T, // no older than four fifths of the grain of 100 ms
                List.of(new LimitChange("rpm", -5_000, 5_000, 5_000, 60_000)),
                (T + 80 + 920) / 1_000 + 3_600,
                "op"));
  }

  @Test
  void write_notContended_claims() {
    Projection projection = at(bucket(T, holds(RPM, 10)), ONE, T + 80);
    projection.take(tokens(ONE, 5));

    assertThat(write(projection, false)).isInstanceOf(WritePlan.Locked.class);
  }

  @Test
  void write_lastClaimOlderThanTheWindow_claims() {
    Projection projection = at(bucket(T, holds(RPM, 10)), ONE, T + 81);
    projection.take(tokens(ONE, 5));

    assertThat(write(projection, true)).isInstanceOf(WritePlan.Locked.class);
  }

  @Test
  void write_timestampSlightlyAhead_mayConsume() {
    Projection projection = at(bucket(T + 10_000, holds(RPM, 10)), ONE, T);
    projection.take(tokens(ONE, 5));

    assertThat(write(projection, true)).isInstanceOf(WritePlan.Consume.class);
  }

  @Test
  void write_wildTimestamp_claimsToHeal() {
    Projection projection = at(bucket(T + 10_001, holds(RPM, 10)), ONE, T);
    projection.take(tokens(ONE, 5));

    assertThat(write(projection, true)).isInstanceOf(WritePlan.Locked.class);
  }

  @Test
  void write_storedBalanceTooSmallWithoutTheCredit_claims() {
    Projection projection = at(bucket(T, holds(RPM, 10)), ONE, T + 80);
    projection.take(Amounts.ofMilli(ONE, new long[] {10_001}));

    assertThat(write(projection, true)).isInstanceOf(WritePlan.Locked.class);
  }

  @Test
  void write_storedBalanceAboveTheCeiling_claimsToClip() {
    Projection projection = at(bucket(T, holds(RPM, 61)), ONE, T + 80);
    projection.take(tokens(ONE, 1));

    assertThat(write(projection, true)).isInstanceOf(WritePlan.Locked.class);
  }

  @Test
  void write_parametersChanged_claimsToSetThem() {
    LimitSet changed = LimitSet.of(RPM.withBurst(61));
    Projection projection = at(bucket(T, holds(RPM, 10)), changed, T + 80);
    projection.take(tokens(changed, 1));

    assertThat(write(projection, true)).isInstanceOf(WritePlan.Locked.class);
  }

  @Test
  void write_limitMissing_claimsToAddIt() {
    Projection projection = at(bucket(T, holds(RPM, 10)), BOTH, T + 80);
    projection.take(tokens(BOTH, 1));

    assertThat(write(projection, true)).isInstanceOf(WritePlan.Locked.class);
  }

  @Test
  void write_limitNoLongerKnown_leavesItAlone() {
    Projection projection = at(bucket(T, holds(RPM, 10), holds(TPM, 10)), ONE, T + 80);
    projection.take(tokens(ONE, 1));

    assertThat(write(projection, true)).isInstanceOf(WritePlan.Consume.class);
  }

  @Test
  void consume_limitNotNamed_isLeftAlone() {
    Projection projection = at(bucket(T, holds(RPM, 10), holds(TPM, -10)), BOTH, T);
    projection.take(tokens(BOTH, 1));

    assertThat(((WritePlan.Consume) write(projection, true)).changes())
        .containsExactly(new LimitChange("rpm", -1_000, 1_000, 1_000, 60_000));
  }

  @Test
  void consume_limitNamedWithZero_demandsThatItIsNotInDebt() {
    Projection projection = at(bucket(T, holds(RPM, 10)), ONE, T);
    projection.take(tokens(ONE, 0));

    assertThat(((WritePlan.Consume) write(projection, true)).changes())
        .containsExactly(new LimitChange("rpm", 0, 0, 0, 60_000));
  }

  @Test
  void consume_settledOnly_hasNoDemand() {
    Projection projection = at(bucket(T, holds(RPM, 10), holds(TPM, 10)), BOTH, T);
    projection.settle(tokens(BOTH, 0, 50));
    projection.take(tokens(BOTH, 1));

    assertThat(((WritePlan.Consume) write(projection, true)).changes())
        .containsExactly(
            new LimitChange("rpm", -1_000, 1_000, 1_000, 60_000),
            LimitChange.unconditional("tpm", -50_000, 50_000));
  }

  @Test
  void consume_refundAndAcquire_countTogether() {
    Projection projection = at(bucket(T, holds(RPM, 10)), ONE, T);
    projection.settle(Amounts.ofMilli(ONE, new long[] {-4_000}));
    projection.take(tokens(ONE, 13));

    assertThat(((WritePlan.Consume) write(projection, true)).changes())
        .containsExactly(new LimitChange("rpm", -9_000, 9_000, 9_000, 56_000));
  }

  private static Projection at(BucketState state, LimitSet limits, long nowMs) {
    return Projection.of(state, limits, nowMs, PlanSettings.DEFAULT.maxSkewMs());
  }

  private static WritePlan write(Projection projection, boolean contended) {
    return Planner.write(projection, contended, PlanSettings.DEFAULT, "op");
  }
}
