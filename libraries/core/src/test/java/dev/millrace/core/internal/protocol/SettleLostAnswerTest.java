package dev.millrace.core.internal.protocol;

import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Script.CONFLICT;
import static dev.millrace.core.testing.Script.LOST;
import static dev.millrace.core.testing.Script.SLOW_DOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Amounts;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.PureStore;
import dev.millrace.core.testing.Script;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A charge too many is the safe side, a refund too many is not. */
class SettleLostAnswerTest {
  private static final Limit RPM = Limit.perMinute("rpm", 60);
  private static final Limit TPM = Limit.perMinute("tpm", 6_000);
  private static final LimitSet LIMITS = LimitSet.of(RPM, TPM);
  private static final BucketState THERE = bucket(T, holds(RPM, 10), holds(TPM, 100));

  @Test
  void write_lastWriteIsOurs_isDone() {
    Script<SettleProtocol.Result> script = settle(3, -50);
    BucketState ours = PureStore.applied(THERE, script.plan(WritePlan.Adjust.class));

    assertThat(script.lose(WritePlan.Adjust.class, T).read(ours, T + 9).result())
        .isEqualTo(new SettleProtocol.Result(null, BucketSnapshot.of(ours, T + 9), 1));
  }

  @Test
  void write_lastWriteIsSomebodyElses_sendsTheChargesAloneAgainUnderAToken() {
    Script<SettleProtocol.Result> script =
        settle(3, -50).lose(WritePlan.Adjust.class, T).read(THERE, T);

    WritePlan.Adjust again = script.tokened(WritePlan.Adjust.class);
    assertThat(again.changes()).containsExactly(LimitChange.unconditional("rpm", -3_000, 3_000));
    assertThat(again.op()).isEqualTo("op-2");
    assertThat(script.commit(WritePlan.Adjust.class, THERE, T).result())
        .isEqualTo(new SettleProtocol.Result(null, null, 1, LOST, null));
  }

  @Test
  void transaction_lost_isSentAgainUnderItsToken() {
    Script<SettleProtocol.Result> script =
        settle(3, 0).lose(WritePlan.Adjust.class, T).read(THERE, T);
    StoreCall first = script.call();

    assertThat(script.loseCommit(WritePlan.Adjust.class, T + 9).call()).isEqualTo(first);
    assertThat(script.commit(WritePlan.Adjust.class, THERE, T).result())
        .isEqualTo(new SettleProtocol.Result(null, null, 2, LOST, null));
  }

  @Test
  void transaction_inTheWayOfAnother_isSentAgainUnderItsToken() {
    Script<SettleProtocol.Result> script =
        settle(3, 0).lose(WritePlan.Adjust.class, T).read(THERE, T);
    StoreCall first = script.call();

    script.answer(new StoreReply.NotApplied(CONFLICT, Receipt.NONE), T);

    assertThat(script.call()).isEqualTo(first);
  }

  @Test
  void transaction_lostEveryTime_isLeftToTheCaller() {
    Script<SettleProtocol.Result> script =
        settle(3, 0).lose(WritePlan.Adjust.class, T).read(THERE, T + 1);
    StoreCall transaction = script.call();
    for (int i = 0; i <= SettleProtocol.MAX_RESENDS; i++) {
      script.loseCommit(WritePlan.Adjust.class, T + 2);
    }

    SettleProtocol.Result result = script.result();

    assertThat(result.failure()).isEqualTo(LOST);
    assertThat(result.unknownOutcomes()).isEqualTo(2 + SettleProtocol.MAX_RESENDS);
    UncertainCharge left = uncertain(result);
    assertThat(left.transaction()).isEqualTo(transaction);
    assertThat(left.sentAtMs()).isEqualTo(T + 1);
  }

  @Test
  void transaction_throttledAfterALostWrite_isLeftToTheCaller() {
    SettleProtocol.Result result =
        settle(3, 0)
            .lose(WritePlan.Adjust.class, T)
            .read(THERE, T)
            .answer(new StoreReply.NotApplied(SLOW_DOWN, Receipt.NONE), T)
            .result();

    assertThat(uncertain(result).charges().milli(0)).isEqualTo(3_000);
    assertThat(result.failure()).isEqualTo(SLOW_DOWN);
  }

  @Test
  void write_refundLost_isNeverSentAgain() {
    SettleProtocol.Result result =
        settle(-3, -50).lose(WritePlan.Adjust.class, T).read(THERE, T).result();

    assertThat(result).isEqualTo(new SettleProtocol.Result(LOST, null, 1));
  }

  @Test
  void write_lostAndTheReadFails_isLeftToTheCaller() {
    SettleProtocol.Result result = lostAndUnread();

    assertThat(result.failure()).isEqualTo(LOST);
    assertThat(uncertain(result))
        .isEqualTo(
            new UncertainCharge(
                KEY,
                EffectiveLimits.ofCall(LIMITS),
                uncertain(result).charges(),
                "op-1",
                /* transaction= */ null,
                T,
                LOST));
    assertThat(uncertain(result).charges().toString()).isEqualTo("rpm=3");
  }

  @Test
  void resolve_bucketShowsThePlainWrite_isWritten() {
    UncertainCharge left = uncertain(lostAndUnread());
    BucketState ours = PureStore.applied(THERE, settle(3, 0).plan(WritePlan.Adjust.class));

    assertThat(resolve(left, T + 9).read(ours, T + 9).result().failure()).isNull();
  }

  @Test
  void resolve_bucketShowsAnotherWrite_isSentOnce() {
    UncertainCharge left = uncertain(lostAndUnread());

    Script<SettleProtocol.Result> script = resolve(left, T + 9).read(THERE, T + 9);

    assertThat(script.tokened(WritePlan.Adjust.class).changes())
        .containsExactly(LimitChange.unconditional("rpm", -3_000, 3_000));
    assertThat(script.commit(WritePlan.Adjust.class, THERE, T + 9).result().failure()).isNull();
  }

  @Test
  void resolve_storeStillAway_isLeftToTheCallerAgain() {
    UncertainCharge left = uncertain(lostAndUnread());

    SettleProtocol.Result result =
        resolve(left, T + 9)
            .readFails(new StoreReply.NotApplied(SLOW_DOWN, Receipt.NONE), T + 9)
            .result();

    assertThat(uncertain(result).op()).isEqualTo("op-1");
  }

  @Test
  void resolve_transaction_isSentAgainWithoutARead() {
    UncertainCharge left = uncertain(lostTransaction());

    Script<SettleProtocol.Result> script = resolve(left, T + UncertainCharge.TOKEN_VALID_MS - 1);

    assertThat(script.call()).isEqualTo(left.transaction());
    assertThat(script.commit(WritePlan.Adjust.class, THERE, T).result().failure()).isNull();
  }

  @Test
  void resolve_transactionWhoseTokenMayBeForgotten_isReadFirst() {
    UncertainCharge left = uncertain(lostTransaction());
    WritePlan plan = Objects.requireNonNull(left.transaction()).plans().get(0);

    Script<SettleProtocol.Result> script = resolve(left, T + UncertainCharge.TOKEN_VALID_MS);

    assertThat(script.read(PureStore.applied(THERE, plan), T).result().failure()).isNull();
  }

  @Test
  void write_chargeLostAndTheBucketIsGone_makesOne() {
    Script<SettleProtocol.Result> script =
        settle(3, -50)
            .lose(WritePlan.Adjust.class, T)
            .read(null, T)
            .commit(WritePlan.Adjust.class, null, T);

    BucketState created = script.tokened(WritePlan.Create.class).state();
    assertThat(created.limits().get(0).tokensMilli()).isEqualTo(57_000);
    assertThat(script.commit(WritePlan.Create.class, null, T).result())
        .isEqualTo(new SettleProtocol.Result(null, null, 1, LOST, null));
  }

  @Test
  void write_createLostAndTheBucketIsOurs_isDone() {
    Script<SettleProtocol.Result> script = settle(3, 0).write(WritePlan.Adjust.class, null, T);
    BucketState ours = script.plan(WritePlan.Create.class).state();

    assertThat(script.lose(WritePlan.Create.class, T).read(ours, T).result())
        .isEqualTo(new SettleProtocol.Result(null, BucketSnapshot.of(ours, T), 1));
  }

  private static SettleProtocol.Result lostAndUnread() {
    return settle(3, 0)
        .lose(WritePlan.Adjust.class, T)
        .readFails(new StoreReply.NotApplied(SLOW_DOWN, Receipt.NONE), T)
        .result();
  }

  private static SettleProtocol.Result lostTransaction() {
    return settle(3, 0)
        .lose(WritePlan.Adjust.class, T)
        .read(THERE, T)
        .answer(new StoreReply.NotApplied(SLOW_DOWN, Receipt.NONE), T)
        .result();
  }

  private static UncertainCharge uncertain(SettleProtocol.Result result) {
    return Objects.requireNonNull(result.uncertain());
  }

  private static Script<SettleProtocol.Result> resolve(UncertainCharge charge, long nowMs) {
    return Script.of(SettleProtocol.resolve(charge, PlanSettings.DEFAULT, () -> "op-9", nowMs));
  }

  private static Script<SettleProtocol.Result> settle(long rpmTokens, long tpmTokens) {
    Amounts amounts =
        Amounts.ofMilli(LIMITS, new long[] {rpmTokens * Limit.MILLI, tpmTokens * Limit.MILLI});
    SettleProtocol settle =
        new SettleProtocol(
            KEY, EffectiveLimits.ofCall(LIMITS), PlanSettings.DEFAULT, CommitCase.ops());
    return Script.of(settle.start(amounts, null, T));
  }
}
