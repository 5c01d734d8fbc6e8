package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.LIMITS;
import static dev.millrace.core.internal.protocol.CommitCase.NOTHING;
import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.CommitCase.acquire;
import static dev.millrace.core.internal.protocol.CommitCase.charge;
import static dev.millrace.core.internal.protocol.CommitCase.commit;
import static dev.millrace.core.internal.protocol.CommitCase.seen;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Script.LOST;
import static dev.millrace.core.testing.Script.SLOW_DOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Amounts;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.internal.protocol.CommitResult.Trace;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.Script;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Settlements that leave with a commit. */
class CommitSettlementsTest {
  /** The answers of a write, and of the transaction that follows. */
  private static final int ALL_LOST = 2 + SettleProtocol.MAX_RESENDS;

  private static final BucketState SEEN = bucket(T, holds(RPM, 10));

  @Test
  void start_onlySettlements_areOneWriteThatNoBalanceRefuses() {
    Script<CommitResult> script = commit(null, T, charge(20), refund(5), charge(1));

    assertThat(script.plan(WritePlan.Adjust.class).changes())
        .containsExactly(LimitChange.unconditional("rpm", -16_000, 16_000));
    CommitResult result = script.write(WritePlan.Adjust.class, SEEN, T).result();
    assertThat(result.outcomes())
        .containsExactly(new Outcome.Settled(), new Outcome.Settled(), new Outcome.Settled());
    assertThat(result.trace()).isEqualTo(NOTHING);
    assertThat(Objects.requireNonNull(result.snapshot()).state().limits())
        .containsExactly(new LimitState(RPM, -6_000, 16_000));
  }

  @Test
  void start_onlySettlementsAndTheBucketIsGone_createsItWithTheChargesAlone() {
    Script<CommitResult> script =
        commit(null, T, charge(70), refund(5)).write(WritePlan.Adjust.class, null, T);

    assertThat(script.plan(WritePlan.Create.class).state().limits())
        .containsExactly(new LimitState(RPM, -10_000, 70_000));
    assertThat(script.write(WritePlan.Create.class, null, T).result().outcomes())
        .containsExactly(new Outcome.Settled(), new Outcome.Settled());
  }

  @Test
  void start_settlementsThatCancelOut_makeNoCall() {
    assertThat(commit(null, T, charge(5), refund(5)).result().outcomes())
        .containsExactly(new Outcome.Settled(), new Outcome.Settled());
  }

  @Test
  void start_onlySettlementsThrottled_areUnavailableAndNotCharged() {
    Outcome unavailable = new Outcome.Unavailable(SLOW_DOWN, /* mayBeCharged= */ false);

    assertThat(
            commit(null, T, charge(5), refund(1))
                .throttle(WritePlan.Adjust.class, T)
                .result()
                .outcomes())
        .containsExactly(unavailable, unavailable);
  }

  @Test
  void start_onlySettlementsLostEveryTime_mayBeChargedAndAreLeftToTheCaller() {
    CommitResult result =
        loseAll(commit(null, T, charge(5)).lose(WritePlan.Adjust.class, T).read(SEEN, T));

    assertThat(result.outcomes())
        .containsExactly(new Outcome.Unavailable(LOST, /* mayBeCharged= */ true));
    assertThat(result.trace()).isEqualTo(new Trace(0, ALL_LOST, false, false, 0));
    assertThat(left(result)).isEqualTo("rpm=5");
  }

  /** What is given back is not sent again, so nobody may be told that it is written. */
  @Test
  void start_onlySettlementsLostOnce_theChargeIsSettledAndTheRefundIsNotKnown() {
    CommitResult result =
        commit(null, T, charge(5), refund(1))
            .lose(WritePlan.Adjust.class, T)
            .read(SEEN, T)
            .commit(WritePlan.Adjust.class, SEEN, T)
            .result();

    assertThat(result.outcomes())
        .containsExactly(
            new Outcome.Settled(), new Outcome.Unavailable(LOST, /* mayBeCharged= */ true));
  }

  @Test
  void write_answerOfAMixedWriteLost_sendsTheChargesOfTheSettlementsAgain() {
    Script<CommitResult> script =
        commit(seen(SEEN), T, acquire(3), charge(2), refund(1))
            .lose(WritePlan.Locked.class, T)
            .read(SEEN, T);

    assertThat(script.tokened(WritePlan.Adjust.class).changes())
        .containsExactly(LimitChange.unconditional("rpm", -2_000, 2_000));
    CommitResult result = script.commit(WritePlan.Adjust.class, SEEN, T).result();
    assertThat(result.outcomes())
        .containsExactly(
            new Outcome.Unavailable(LOST, /* mayBeCharged= */ true),
            new Outcome.Settled(),
            new Outcome.Unavailable(LOST, /* mayBeCharged= */ true));
    assertThat(result.trace()).isEqualTo(NOTHING.withUnknownOutcome());
  }

  @Test
  void write_answerOfAMixedWriteLostEveryTime_leavesTheChargeToTheCaller() {
    Outcome maybe = new Outcome.Unavailable(LOST, /* mayBeCharged= */ true);

    CommitResult result =
        loseAll(
            commit(seen(SEEN), T, acquire(3), charge(2), refund(1))
                .lose(WritePlan.Locked.class, T)
                .read(SEEN, T));

    assertThat(result.outcomes()).containsExactly(maybe, maybe, maybe);
    assertThat(result.trace()).isEqualTo(new Trace(0, ALL_LOST, false, false, 0));
    assertThat(left(result)).isEqualTo("rpm=2");
  }

  /** What it was to charge is not known to be written: the caller must look again later. */
  @Test
  void write_answerOfAMixedWriteLostAndUnread_leavesTheChargeToTheCaller() {
    CommitResult result =
        commit(seen(SEEN), T, acquire(3), charge(2), refund(1))
            .lose(WritePlan.Locked.class, T)
            .readFails(new StoreReply.NotApplied(SLOW_DOWN, Receipt.NONE), T)
            .result();

    assertThat(left(result)).isEqualTo("rpm=2");
    assertThat(Objects.requireNonNull(result.uncertain()).op()).isEqualTo("op-1");
  }

  private static CommitResult loseAll(Script<CommitResult> script) {
    for (int i = 0; i <= SettleProtocol.MAX_RESENDS; i++) {
      script.loseCommit(WritePlan.Adjust.class, T);
    }
    return script.result();
  }

  private static String left(CommitResult result) {
    return Objects.requireNonNull(result.uncertain()).charges().toString();
  }

  @Test
  void write_answerOfARefundLost_isNotSentAgain() {
    Outcome maybe = new Outcome.Unavailable(LOST, /* mayBeCharged= */ true);

    assertThat(
            commit(seen(SEEN), T, acquire(3), refund(2))
                .lose(WritePlan.Locked.class, T)
                .read(SEEN, T)
                .result()
                .outcomes())
        .containsExactly(maybe, maybe);
  }

  private static BucketDemand refund(long tokens) {
    return BucketDemand.settle(Amounts.ofMilli(LIMITS, new long[] {-tokens * 1_000}));
  }
}
