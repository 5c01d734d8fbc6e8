package dev.millrace.core.internal.protocol;

import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Script.SLOW_DOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Amounts;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.Script;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a call turned out to cost is written down, whatever the balance. */
class SettleProtocolTest {
  private static final Limit RPD = Limit.perDay("rpd", 100);
  private static final Limit TPM = Limit.perMinute("tpm", 6_000);
  private static final LimitSet LIMITS = LimitSet.of(RPD, TPM);
  private static final BucketState THERE = bucket(T, holds(RPD, 10), holds(TPM, 100));
  private static final long T_SECONDS = T / 1_000;
  private static final long DAY_SECONDS = 86_400;

  @Test
  void start_nothingToSettle_makesNoCall() {
    assertThat(settle(null, 0, 0).result()).isEqualTo(new SettleProtocol.Result(null, null, 0));
  }

  @Test
  void start_chargeAndRefund_areOneWriteWithoutADemand() {
    Script<SettleProtocol.Result> script = settle(null, 3, -50);

    WritePlan.Adjust plan = script.plan(WritePlan.Adjust.class);
    assertThat(plan.key()).isEqualTo(KEY);
    assertThat(plan.op()).isEqualTo("op-1");
    assertThat(plan.changes())
        .containsExactly(
            LimitChange.unconditional("rpd", -3_000, 3_000),
            LimitChange.unconditional("tpm", 50_000, -50_000));

    SettleProtocol.Result result = script.write(WritePlan.Adjust.class, THERE, T + 5).result();
    BucketState after =
        new BucketState(
                KEY,
                T,
                List.of(new LimitState(RPD, 7_000, 3_000), new LimitState(TPM, 150_000, -50_000)),
                plan.expiresAtSeconds(),
                "op-1")
            .withWcuMilli(999_000);
    assertThat(result)
        .isEqualTo(new SettleProtocol.Result(null, BucketSnapshot.of(after, T + 5), 0));
  }

  @Test
  void start_moreThanTheBalance_goesBelowZero() {
    SettleProtocol.Result result =
        settle(null, 25, 0).write(WritePlan.Adjust.class, THERE, T).result();

    assertThat(result.failure()).isNull();
    assertThat(balanceMilli(result, "rpd")).isEqualTo(-15_000);
  }

  @Test
  void start_refundAboveTheCeiling_isLeftToTheNextClaim() {
    SettleProtocol.Result result =
        settle(null, -95, 0).write(WritePlan.Adjust.class, THERE, T).result();

    assertThat(balanceMilli(result, "rpd")).isEqualTo(105_000);
  }

  @Test
  void start_bucketNeverSeen_expiresAsIfItHadBeenEmpty() {
    // 100 to the ceiling and 50 of debt: seven times a day and a half
    assertThat(settle(null, 50, 0).plan(WritePlan.Adjust.class).expiresAtSeconds())
        .isEqualTo(T_SECONDS + 7 * DAY_SECONDS * 3 / 2);
  }

  @Test
  void start_bucketSeenInDebt_expiresLater() {
    BucketSnapshot inDebt = BucketSnapshot.of(bucket(T, holds(RPD, -50), holds(TPM, 0)), T);

    assertThat(settle(inDebt, 50, 0).plan(WritePlan.Adjust.class).expiresAtSeconds())
        .isEqualTo(T_SECONDS + 14 * DAY_SECONDS);
    assertThat(settle(inDebt, -50, 0).plan(WritePlan.Adjust.class).expiresAtSeconds())
        .isEqualTo(T_SECONDS + 7 * DAY_SECONDS);
    assertThat(settle(inDebt, 0, 1).plan(WritePlan.Adjust.class).expiresAtSeconds())
        .isEqualTo(T_SECONDS + 7 * DAY_SECONDS * 3 / 2);
  }

  @Test
  void start_bucketSeenWithAnOrphan_livesUntilThatIsFull() {
    LimitState orphan = holds(Limit.perDay("old", 100), -100);
    BucketSnapshot known = BucketSnapshot.of(bucket(T, holds(RPD, 10), holds(TPM, 0), orphan), T);

    assertThat(settle(known, 0, 1).plan(WritePlan.Adjust.class).expiresAtSeconds())
        .isEqualTo(T_SECONDS + 14 * DAY_SECONDS);
  }

  @Test
  void write_refundOnlyAndTheBucketIsGone_makesNone() {
    SettleProtocol.Result result =
        settle(null, -3, -50).write(WritePlan.Adjust.class, null, T).result();

    assertThat(result).isEqualTo(new SettleProtocol.Result(null, null, 0));
  }

  @Test
  void write_chargeAndTheBucketIsGone_makesOneWithoutTheRefunds() {
    Script<SettleProtocol.Result> script =
        settle(null, 3, -50).write(WritePlan.Adjust.class, null, T + 5);

    BucketState created = script.plan(WritePlan.Create.class).state();
    assertThat(created.refilledAtMs()).isEqualTo(T + 5);
    assertThat(created.op()).isEqualTo("op-2");
    assertThat(created.limits())
        .containsExactly(new LimitState(RPD, 97_000, 3_000), new LimitState(TPM, 6_000_000, 0));
    assertThat(script.write(WritePlan.Create.class, null, T + 9).result())
        .isEqualTo(new SettleProtocol.Result(null, BucketSnapshot.of(created, T + 9), 0));
  }

  @Test
  void write_chargeAboveTheCeilingAndTheBucketIsGone_makesOneInDebt() {
    Script<SettleProtocol.Result> script =
        settle(null, 150, 0).write(WritePlan.Adjust.class, null, T);

    BucketState created = script.plan(WritePlan.Create.class).state();
    assertThat(created.limits().get(0)).isEqualTo(new LimitState(RPD, -50_000, 150_000));
    assertThat(created.expiresAtSeconds()).isEqualTo(T_SECONDS + 7 * DAY_SECONDS * 3 / 2);
  }

  @Test
  void write_goneAndThenMadeBySomebodyElse_adjustsTheirs() {
    SettleProtocol.Result result =
        settle(null, 3, -50)
            .write(WritePlan.Adjust.class, null, T)
            .write(WritePlan.Create.class, THERE, T)
            .write(WritePlan.Adjust.class, THERE, T)
            .result();

    assertThat(balanceMilli(result, "rpd")).isEqualTo(7_000);
    assertThat(balanceMilli(result, "tpm")).isEqualTo(100_000); // theirs began full
  }

  @Test
  void write_limitNoLongerThere_settlesTheOthers() {
    BucketState without = bucket(T, holds(TPM, 100));

    Script<SettleProtocol.Result> script =
        settle(null, 3, 40).write(WritePlan.Adjust.class, without, T);

    assertThat(script.plan(WritePlan.Adjust.class).changes())
        .containsExactly(LimitChange.unconditional("tpm", -40_000, 40_000));
    SettleProtocol.Result result = script.write(WritePlan.Adjust.class, without, T).result();
    assertThat(balanceMilli(result, "tpm")).isEqualTo(60_000);
  }

  @Test
  void write_noneOfTheLimitsThere_isDone() {
    BucketState without = bucket(T, holds(Limit.perDay("other", 1), 1));

    assertThat(settle(null, 3, 0).write(WritePlan.Adjust.class, without, T).result())
        .isEqualTo(new SettleProtocol.Result(null, null, 0));
  }

  @Test
  void write_throttled_isAFailureThatSurelyDidNotHappen() {
    assertThat(settle(null, 3, 0).throttle(WritePlan.Adjust.class, T).result())
        .isEqualTo(new SettleProtocol.Result(SLOW_DOWN, null, 0));
  }

  @Test
  void write_refusedEveryTime_isContendedAfterTheLastAttempt() {
    Script<SettleProtocol.Result> script = settle(null, 3, 0);
    for (int i = 0; i < SettleProtocol.MAX_ATTEMPTS; i++) {
      script.plan(WritePlan.Adjust.class);
      script.answer(new StoreReply.Refused(THERE, Receipt.NONE), T);
    }

    assertThat(script.result())
        .isEqualTo(
            new SettleProtocol.Result(
                new StoreFailure(StoreFailure.Kind.CONTENDED, null), null, 0));
  }

  private static Script<SettleProtocol.Result> settle(
      @Nullable BucketSnapshot known, long rpdTokens, long tpmTokens) {
    Amounts amounts =
        Amounts.ofMilli(LIMITS, new long[] {rpdTokens * Limit.MILLI, tpmTokens * Limit.MILLI});
    SettleProtocol settle =
        new SettleProtocol(
            KEY, EffectiveLimits.ofCall(LIMITS), PlanSettings.DEFAULT, CommitCase.ops());
    return Script.of(settle.start(amounts, known, T));
  }

  private static long balanceMilli(SettleProtocol.Result result, String limit) {
    BucketSnapshot snapshot = result.snapshot();
    LimitState state = snapshot == null ? null : snapshot.state().find(limit);
    if (state == null) {
      throw new AssertionError("no " + limit + " in " + result);
    }
    return state.tokensMilli();
  }
}
