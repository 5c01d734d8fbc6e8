package dev.millrace.core.protocol;

import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Script.LOST;
import static dev.millrace.core.testing.Script.SLOW_DOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.config.Terms;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.plan.LimitChange;
import dev.millrace.core.plan.PlanSettings;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.store.Receipt;
import dev.millrace.core.store.StoreReply;
import dev.millrace.core.testing.PureStore;
import dev.millrace.core.testing.Script;
import org.junit.jupiter.api.Test;

/** A charge too many is the safe side, a refund too many is not. */
class SettleLostAnswerTest {
  private static final Limit RPM = Limit.perMinute("rpm", 60);
  private static final Limit TPM = Limit.perMinute("tpm", 6_000);
  private static final LimitSet LIMITS = LimitSet.of(RPM, TPM);
  private static final BucketState THERE = bucket(T, holds(RPM, 10), holds(TPM, 100));

  @Test
  void write_lastWriteIsOurs_isDone() {
    Script<Settle.Result> script = settle(3, -50);
    BucketState ours = PureStore.applied(THERE, script.plan(WritePlan.Adjust.class));

    assertThat(script.lose(WritePlan.Adjust.class, T).read(ours, T + 9).result())
        .isEqualTo(new Settle.Result(null, Sighting.of(ours, T + 9), 1));
  }

  @Test
  void write_lastWriteIsSomebodyElses_sendsTheChargesAloneAgain() {
    Script<Settle.Result> script = settle(3, -50).lose(WritePlan.Adjust.class, T).read(THERE, T);

    WritePlan.Adjust again = script.plan(WritePlan.Adjust.class);
    assertThat(again.changes()).containsExactly(LimitChange.unconditional("rpm", -3_000, 3_000));
    assertThat(again.op()).isEqualTo("op-2");
    Settle.Result result = script.write(WritePlan.Adjust.class, THERE, T).result();
    assertThat(result.failure()).isNull();
    assertThat(result.unknownOutcomes()).isEqualTo(1);
  }

  @Test
  void write_chargeLostTwice_isNotSentAThirdTime() {
    Settle.Result result =
        settle(3, 0)
            .lose(WritePlan.Adjust.class, T)
            .read(THERE, T)
            .lose(WritePlan.Adjust.class, T)
            .read(THERE, T)
            .result();

    assertThat(result).isEqualTo(new Settle.Result(LOST, null, 2, LOST));
  }

  @Test
  void write_secondOfTwoLostChargesIsOurs_isDone() {
    Script<Settle.Result> script = settle(3, 0).lose(WritePlan.Adjust.class, T).read(THERE, T);
    BucketState ours = PureStore.applied(THERE, script.plan(WritePlan.Adjust.class));

    assertThat(script.lose(WritePlan.Adjust.class, T).read(ours, T).result())
        .isEqualTo(new Settle.Result(null, Sighting.of(ours, T), 2, LOST));
  }

  @Test
  void write_refundLost_isNeverSentAgain() {
    Settle.Result result = settle(-3, -50).lose(WritePlan.Adjust.class, T).read(THERE, T).result();

    assertThat(result).isEqualTo(new Settle.Result(LOST, null, 1));
  }

  @Test
  void write_lostAndTheReadFails_isNotSentAgain() {
    Settle.Result result =
        settle(3, 0)
            .lose(WritePlan.Adjust.class, T)
            .readFails(new StoreReply.NotApplied(SLOW_DOWN, Receipt.NONE), T)
            .result();

    assertThat(result).isEqualTo(new Settle.Result(LOST, null, 1));
  }

  @Test
  void write_chargeLostAndTheBucketIsGone_makesOne() {
    Script<Settle.Result> script =
        settle(3, -50)
            .lose(WritePlan.Adjust.class, T)
            .read(null, T)
            .write(WritePlan.Adjust.class, null, T);

    BucketState created = script.plan(WritePlan.Create.class).state();
    assertThat(created.limits().get(0).tokensMilli()).isEqualTo(57_000);
    assertThat(script.write(WritePlan.Create.class, null, T).result())
        .isEqualTo(new Settle.Result(null, Sighting.of(created, T), 1, LOST));
  }

  @Test
  void write_createLostAndTheBucketIsOurs_isDone() {
    Script<Settle.Result> script = settle(3, 0).write(WritePlan.Adjust.class, null, T);
    BucketState ours = script.plan(WritePlan.Create.class).state();

    assertThat(script.lose(WritePlan.Create.class, T).read(ours, T).result())
        .isEqualTo(new Settle.Result(null, Sighting.of(ours, T), 1));
  }

  private static Script<Settle.Result> settle(long rpmTokens, long tpmTokens) {
    Amounts amounts =
        Amounts.ofMilli(LIMITS, new long[] {rpmTokens * Limit.MILLI, tpmTokens * Limit.MILLI});
    Settle settle = new Settle(KEY, Terms.ofCall(LIMITS), PlanSettings.DEFAULT, CommitCase.ops());
    return Script.of(settle.start(amounts, null, T));
  }
}
