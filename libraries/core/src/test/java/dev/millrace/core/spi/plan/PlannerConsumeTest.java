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

/** When a bucket may be consumed without a claim, and what that write demands. */
class PlannerConsumeTest {
  private static final Limit RPM = Limit.perMinute("rpm", 60);
  private static final Limit TPM = Limit.perMinute("tpm", 6_000);
  private static final LimitSet ONE = LimitSet.of(RPM);
  private static final LimitSet BOTH = LimitSet.of(RPM, TPM);

  @Test
  void write_contendedAndFresh_consumesWithoutTheLock() {
    BucketView view = at(bucket(T, holds(RPM, 10)), ONE, T + 80);
    view.take(tokens(ONE, 5));

    assertThat(write(view, true))
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
    BucketView view = at(bucket(T, holds(RPM, 10)), ONE, T + 80);
    view.take(tokens(ONE, 5));

    assertThat(write(view, false)).isInstanceOf(WritePlan.Locked.class);
  }

  @Test
  void write_lastClaimOlderThanTheWindow_claims() {
    BucketView view = at(bucket(T, holds(RPM, 10)), ONE, T + 81);
    view.take(tokens(ONE, 5));

    assertThat(write(view, true)).isInstanceOf(WritePlan.Locked.class);
  }

  @Test
  void write_timestampSlightlyAhead_mayConsume() {
    BucketView view = at(bucket(T + 10_000, holds(RPM, 10)), ONE, T);
    view.take(tokens(ONE, 5));

    assertThat(write(view, true)).isInstanceOf(WritePlan.Consume.class);
  }

  @Test
  void write_wildTimestamp_claimsToHeal() {
    BucketView view = at(bucket(T + 10_001, holds(RPM, 10)), ONE, T);
    view.take(tokens(ONE, 5));

    assertThat(write(view, true)).isInstanceOf(WritePlan.Locked.class);
  }

  @Test
  void write_storedBalanceTooSmallWithoutTheCredit_claims() {
    BucketView view = at(bucket(T, holds(RPM, 10)), ONE, T + 80);
    view.take(Amounts.ofMilli(ONE, new long[] {10_001}));

    assertThat(write(view, true)).isInstanceOf(WritePlan.Locked.class);
  }

  @Test
  void write_storedBalanceAboveTheCeiling_claimsToClip() {
    BucketView view = at(bucket(T, holds(RPM, 61)), ONE, T + 80);
    view.take(tokens(ONE, 1));

    assertThat(write(view, true)).isInstanceOf(WritePlan.Locked.class);
  }

  @Test
  void write_parametersChanged_claimsToSetThem() {
    LimitSet changed = LimitSet.of(RPM.withBurst(61));
    BucketView view = at(bucket(T, holds(RPM, 10)), changed, T + 80);
    view.take(tokens(changed, 1));

    assertThat(write(view, true)).isInstanceOf(WritePlan.Locked.class);
  }

  @Test
  void write_limitMissing_claimsToAddIt() {
    BucketView view = at(bucket(T, holds(RPM, 10)), BOTH, T + 80);
    view.take(tokens(BOTH, 1));

    assertThat(write(view, true)).isInstanceOf(WritePlan.Locked.class);
  }

  @Test
  void write_limitNoLongerKnown_leavesItAlone() {
    BucketView view = at(bucket(T, holds(RPM, 10), holds(TPM, 10)), ONE, T + 80);
    view.take(tokens(ONE, 1));

    assertThat(write(view, true)).isInstanceOf(WritePlan.Consume.class);
  }

  @Test
  void consume_limitNotNamed_isLeftAlone() {
    BucketView view = at(bucket(T, holds(RPM, 10), holds(TPM, -10)), BOTH, T);
    view.take(tokens(BOTH, 1));

    assertThat(((WritePlan.Consume) write(view, true)).changes())
        .containsExactly(new LimitChange("rpm", -1_000, 1_000, 1_000, 60_000));
  }

  @Test
  void consume_limitNamedWithZero_demandsThatItIsNotInDebt() {
    BucketView view = at(bucket(T, holds(RPM, 10)), ONE, T);
    view.take(tokens(ONE, 0));

    assertThat(((WritePlan.Consume) write(view, true)).changes())
        .containsExactly(new LimitChange("rpm", 0, 0, 0, 60_000));
  }

  @Test
  void consume_settledOnly_hasNoDemand() {
    BucketView view = at(bucket(T, holds(RPM, 10), holds(TPM, 10)), BOTH, T);
    view.settle(tokens(BOTH, 0, 50));
    view.take(tokens(BOTH, 1));

    assertThat(((WritePlan.Consume) write(view, true)).changes())
        .containsExactly(
            new LimitChange("rpm", -1_000, 1_000, 1_000, 60_000),
            LimitChange.unconditional("tpm", -50_000, 50_000));
  }

  @Test
  void consume_refundAndAcquire_countTogether() {
    BucketView view = at(bucket(T, holds(RPM, 10)), ONE, T);
    view.settle(Amounts.ofMilli(ONE, new long[] {-4_000}));
    view.take(tokens(ONE, 13));

    assertThat(((WritePlan.Consume) write(view, true)).changes())
        .containsExactly(new LimitChange("rpm", -9_000, 9_000, 9_000, 56_000));
  }

  private static BucketView at(BucketState state, LimitSet limits, long nowMs) {
    return BucketView.of(state, limits, nowMs, PlanSettings.DEFAULT.maxSkewMs());
  }

  private static WritePlan write(BucketView view, boolean contended) {
    return WritePlanner.write(view, contended, PlanSettings.DEFAULT, "op");
  }
}
