package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.LIMITS;
import static dev.millrace.core.internal.protocol.CommitCase.NOTHING;
import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.CommitCase.acquire;
import static dev.millrace.core.internal.protocol.CommitCase.charge;
import static dev.millrace.core.internal.protocol.CommitCase.commit;
import static dev.millrace.core.internal.protocol.CommitCase.seen;
import static dev.millrace.core.spi.config.ConfigLevel.RESOURCE;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.at;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.off;
import static dev.millrace.core.testing.Buckets.on;
import static dev.millrace.core.testing.Buckets.tokens;
import static dev.millrace.core.testing.Script.LOST;
import static dev.millrace.core.testing.Script.SLOW_DOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.Script;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A bucket that is switched off admits nobody, and takes what is to be settled. */
class CommitDisabledTest {
  private static final EffectiveLimits OFF = new EffectiveLimits(LIMITS, off(RESOURCE, 5));
  private static final EffectiveLimits ON = new EffectiveLimits(LIMITS, on(RESOURCE, 6));
  private static final BucketState TEN = bucket(T, holds(RPM, 10));
  private static final BucketState IS_OFF = at(off(RESOURCE, 5), TEN);
  private static final BucketState IS_ON = at(on(RESOURCE, 4), TEN);

  @Test
  void start_seenOffJustNow_isToldAtNoCost() {
    BucketDemand prefetch = BucketDemand.prefetch(tokens(LIMITS, 1), tokens(LIMITS, 0));

    CommitResult result = commit(OFF, seen(IS_OFF), T + 999, acquire(1), prefetch).result();

    assertThat(result)
        .isEqualTo(
            new CommitResult(List.of(Outcome.DISABLED, Outcome.SKIPPED), seen(IS_OFF), NOTHING));
  }

  @Test
  void start_seenOffLongAgo_isReadFirst() {
    assertThat(
            commit(OFF, seen(IS_OFF), T + 1_000, acquire(1))
                .read(IS_OFF, T + 1_005)
                .result()
                .outcomes())
        .containsExactly(Outcome.DISABLED);
  }

  @Test
  void start_termsSayOffAndTheBucketIsOlder_switchesItOff() {
    Script<CommitResult> script = commit(OFF, seen(IS_ON), T, acquire(1), charge(2));
    CommitResult result = script.write(WritePlan.Locked.class, IS_ON, T + 5).result();

    assertThat(result.outcomes()).containsExactly(Outcome.DISABLED, Outcome.SETTLED);
    BucketState after = Objects.requireNonNull(result.snapshot()).state();
    assertThat(after.stamp()).isEqualTo(off(RESOURCE, 5));
    assertThat(after.refilledAtMs()).isEqualTo(T + 1);
    // only what was settled is charged; a millisecond was earned
    assertThat(after.limits()).containsExactly(new LimitState(RPM, 8_001, 2_000));
  }

  @Test
  void write_switchingOffFails_disabledStaysDisabled() {
    assertThat(
            commit(OFF, seen(IS_ON), T, acquire(1), charge(2))
                .throttle(WritePlan.Locked.class, T)
                .result()
                .outcomes())
        .containsExactly(
            Outcome.DISABLED, new Outcome.Unavailable(SLOW_DOWN, /* mayBeCharged= */ false));
  }

  @Test
  void write_answerOfSwitchingOffLost_settlesTheChargesAgain() {
    assertThat(
            commit(OFF, seen(IS_ON), T, acquire(1), charge(2))
                .lose(WritePlan.Locked.class, T)
                .read(IS_ON, T)
                .write(WritePlan.Locked.class, IS_ON, T)
                .result()
                .outcomes())
        .containsExactly(Outcome.DISABLED, Outcome.SETTLED);
    assertThat(
            commit(OFF, seen(IS_ON), T, acquire(1))
                .lose(WritePlan.Locked.class, T)
                .readFails(new StoreReply.NotApplied(SLOW_DOWN, Receipt.NONE), T)
                .result()
                .outcomes())
        .containsExactly(Outcome.DISABLED);
  }

  @Test
  void start_bucketOffAndTermsLaterSayOn_switchesItOnAndGoesOn() {
    CommitResult result =
        commit(ON, seen(IS_OFF), T, acquire(1)).write(WritePlan.Locked.class, IS_OFF, T).result();

    assertThat(result.outcomes()).containsExactly(Outcome.ADMITTED);
    assertThat(Objects.requireNonNull(result.snapshot()).state().stamp())
        .isEqualTo(on(RESOURCE, 6));
  }

  @Test
  void start_contendedAndTermsLaterSayOn_doesNotConsumeWithoutTheLock() {
    BucketSnapshot contended = new BucketSnapshot(IS_OFF, T, T + 10_000, /* lively= */ true);

    commit(ON, contended, T + 10, acquire(1)).plan(WritePlan.Locked.class);
  }

  @Test
  void start_offAndSettlementOnAContendedBucket_claims() {
    BucketSnapshot contended = new BucketSnapshot(IS_OFF, T, T + 10_000, /* lively= */ true);

    assertThat(
            commit(OFF, contended, T + 10, acquire(1), charge(2))
                .write(WritePlan.Locked.class, IS_OFF, T + 15)
                .result()
                .outcomes())
        .containsExactly(Outcome.DISABLED, Outcome.SETTLED);
  }

  /** The consume-only write does not hold the lock that switching moves. */
  @Test
  void write_consumeMeetsABucketSwitchedOffMeanwhile_isToldThatItIsBehind() {
    BucketState on = at(on(RESOURCE, 4), TEN);
    BucketSnapshot contended = new BucketSnapshot(on, T, T + 10_000, /* lively= */ true);

    CommitResult result =
        commit(new EffectiveLimits(LIMITS, on(RESOURCE, 4)), contended, T + 10, acquire(1))
            .write(WritePlan.Consume.class, at(off(RESOURCE, 5), TEN), T + 15)
            .result();

    assertThat(result.outcomes()).containsExactly(new Outcome.Outdated(off(RESOURCE, 5)));
  }

  @Test
  void start_coldAndTermsSayOff_isNotCreated() {
    assertThat(commit(OFF, null, T, acquire(1)).read(null, T).result())
        .isEqualTo(new CommitResult(List.of(Outcome.DISABLED), null, NOTHING));
  }

  @Test
  void start_coldAndTermsSayOffAndACharge_isCreatedForTheCharge() {
    Script<CommitResult> script = commit(OFF, null, T, acquire(1), charge(2)).read(null, T);

    BucketState created = script.plan(WritePlan.Create.class).state();
    assertThat(created.limits()).containsExactly(new LimitState(RPM, 58_000, 2_000));
    assertThat(created.stamp()).isEqualTo(off(RESOURCE, 5));
    assertThat(script.write(WritePlan.Create.class, null, T).result().outcomes())
        .containsExactly(Outcome.DISABLED, Outcome.SETTLED);
  }

  @Test
  void write_answerOfACreateForAChargeLost_doesNotForgetWhoWasDisabled() {
    assertThat(
            commit(OFF, null, T, acquire(1), charge(2))
                .read(null, T)
                .lose(WritePlan.Create.class, T)
                .read(null, T)
                .lose(WritePlan.Create.class, T)
                .read(null, T)
                .lose(WritePlan.Create.class, T)
                .read(null, T)
                .loseCommit(WritePlan.Adjust.class, T)
                .loseCommit(WritePlan.Adjust.class, T)
                .loseCommit(WritePlan.Adjust.class, T)
                .result()
                .outcomes())
        .containsExactly(Outcome.DISABLED, new Outcome.Unavailable(LOST, /* mayBeCharged= */ true));
  }

  @Test
  void write_refusedEveryTime_disabledStaysDisabledAndTheChargeIsSettledByItself() {
    Script<CommitResult> script = commit(OFF, seen(IS_ON), T, acquire(1), charge(2));
    for (int i = 1; i <= CommitProtocol.MAX_ATTEMPTS; i++) {
      BucketState met = at(on(RESOURCE, 4), bucket(T + i, holds(RPM, 10)));
      script.write(WritePlan.Locked.class, met, T + i * 1_000L);
    }

    assertThat(script.write(WritePlan.Adjust.class, IS_ON, T).result().outcomes())
        .containsExactly(Outcome.DISABLED, Outcome.SETTLED);
  }
}
