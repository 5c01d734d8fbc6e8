package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.LIMITS;
import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.spi.config.ConfigLevel.CALL;
import static dev.millrace.core.spi.config.ConfigLevel.ENTITY_RESOURCE;
import static dev.millrace.core.spi.config.ConfigLevel.RESOURCE;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.at;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.off;
import static dev.millrace.core.testing.Buckets.on;
import static dev.millrace.core.testing.Script.CONFLICT;
import static dev.millrace.core.testing.Script.LOST;
import static dev.millrace.core.testing.Script.SLOW_DOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.protocol.ApplyConfigProtocol.Kind;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.PureStore;
import dev.millrace.core.testing.Script;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One bucket is brought to its terms, and nothing else is done. */
class ApplyConfigProtocolTest {
  private static final Limit TPM = Limit.perMinute("tpm", 6_000);
  private static final Limit SMALLER = Limit.perMinute("rpm", 6);
  private static final EffectiveLimits TERMS =
      new EffectiveLimits(LimitSet.of(SMALLER, TPM), on(RESOURCE, 5));
  private static final BucketState OLD =
      at(on(ENTITY_RESOURCE, 4), bucket(T, holds(RPM, 10), holds(Limit.perDay("rpd", 9), -3)));

  @Test
  void start_otherLimits_areSetAddedAndRemovedInOneWrite() {
    Script<ApplyConfigProtocol.Result> script = refresh(TERMS, OLD, T + 1_000);
    WritePlan.Locked plan = script.plan(WritePlan.Locked.class);
    ApplyConfigProtocol.Result result =
        script.write(WritePlan.Locked.class, OLD, T + 1_005).result();

    BucketState after = PureStore.applied(OLD, plan);
    assertThat(result).isEqualTo(new ApplyConfigProtocol.Result(Kind.CHANGED, after, null));
    assertThat(after.stamp()).isEqualTo(on(RESOURCE, 5));
    assertThat(after.limits())
        .containsExactly(
            new LimitState(SMALLER, 6_000, 0), // 11 were there
            new LimitState(TPM, 6_000_000, 0));
    assertThat(after.expiresAtSeconds()).isEqualTo(T / 1_000 + 1 + 3_600);
    assertThat(after.refilledAtMs()).isEqualTo(T + 1_000);
  }

  @Test
  void start_unknownBucket_isRead() {
    assertThat(
            refresh(TERMS, null, T)
                .read(OLD, T)
                .write(WritePlan.Locked.class, OLD, T)
                .result()
                .kind())
        .isEqualTo(Kind.CHANGED);
    assertThat(refresh(TERMS, null, T).read(null, T).result())
        .isEqualTo(new ApplyConfigProtocol.Result(Kind.ABSENT, null, null));
    assertThat(
            refresh(TERMS, null, T)
                .readFails(new StoreReply.NotApplied(SLOW_DOWN, Receipt.NONE), T)
                .result())
        .isEqualTo(new ApplyConfigProtocol.Result(Kind.FAILED, null, SLOW_DOWN));
  }

  @Test
  void start_alreadySoOrLater_isLeftAlone() {
    EffectiveLimits five = new EffectiveLimits(LIMITS, on(RESOURCE, 5));
    BucketState same = at(on(RESOURCE, 5), bucket(T, holds(RPM, 10)));
    BucketState later = at(off(CALL, 6), bucket(T, holds(TPM, 10)));

    assertThat(refresh(five, same, T).result())
        .isEqualTo(new ApplyConfigProtocol.Result(Kind.UNCHANGED, same, null));
    assertThat(refresh(five, later, T).result())
        .isEqualTo(new ApplyConfigProtocol.Result(Kind.UNCHANGED, later, null));
  }

  /** Another change has come to the bucket first: neither may be lost. */
  @Test
  void start_newerInOneRecordAndOlderInAnother_isOutdatedAndWritesNothing() {
    ConfigStamp has = new ConfigStamp(ENTITY_RESOURCE, new RecordVersions(0, 2, 0, 1, 0), false);
    ConfigStamp due = new ConfigStamp(ENTITY_RESOURCE, new RecordVersions(0, 1, 0, 3, 0), true);
    BucketState state = at(has, bucket(T, holds(RPM, 10)));

    assertThat(refresh(new EffectiveLimits(LIMITS, due), state, T).result())
        .isEqualTo(new ApplyConfigProtocol.Result(Kind.OUTDATED, state, null));
  }

  /** That a timestamp is wild is for those who acquire. */
  @Test
  void start_alreadySoAndWild_isLeftAlone() {
    BucketState wild = at(on(RESOURCE, 5), bucket(T + 3_600_000, holds(RPM, 10)));

    assertThat(refresh(new EffectiveLimits(LIMITS, on(RESOURCE, 5)), wild, T).result().kind())
        .isEqualTo(Kind.UNCHANGED);
  }

  @Test
  void start_versionAlone_isWritten() {
    BucketState old = at(on(RESOURCE, 4), bucket(T, holds(RPM, 10)));

    ApplyConfigProtocol.Result result =
        refresh(new EffectiveLimits(LIMITS, on(RESOURCE, 5)), old, T)
            .write(WritePlan.Locked.class, old, T)
            .result();

    assertThat(result.kind()).isEqualTo(Kind.CHANGED);
    assertThat(state(result).stamp()).isEqualTo(on(RESOURCE, 5));
    assertThat(state(result).refilledAtMs()).isEqualTo(T + 1);
  }

  @Test
  void write_somebodyWasFaster_beginsFromWhatTheyLeft() {
    BucketState theirs = at(on(ENTITY_RESOURCE, 4), bucket(T + 50, holds(RPM, 3)));

    ApplyConfigProtocol.Result result =
        refresh(TERMS, OLD, T)
            .write(WritePlan.Locked.class, theirs, T + 60)
            .write(WritePlan.Locked.class, theirs, T + 70)
            .result();

    assertThat(result.kind()).isEqualTo(Kind.CHANGED);
    assertThat(state(result).limits().get(0).tokensMilli()).isEqualTo(3_010);
  }

  @Test
  void write_somebodyElseRepairedIt_isLeftAlone() {
    BucketState theirs = at(on(RESOURCE, 5), bucket(T + 50, holds(SMALLER, 3), holds(TPM, 1)));

    assertThat(refresh(TERMS, OLD, T).write(WritePlan.Locked.class, theirs, T + 60).result())
        .isEqualTo(new ApplyConfigProtocol.Result(Kind.UNCHANGED, theirs, null));
  }

  @Test
  void write_bucketGone_isAbsent() {
    assertThat(refresh(TERMS, OLD, T).write(WritePlan.Locked.class, null, T).result().kind())
        .isEqualTo(Kind.ABSENT);
  }

  /** On a hot bucket the exact balance is never met; then a little clipped credit is given up. */
  @Test
  void write_refusedAFewTimes_noLongerDemandsTheExactBalance() {
    Script<ApplyConfigProtocol.Result> script = refresh(TERMS, OLD, T);
    for (int i = 1; i <= 4; i++) {
      assertThat(script.plan(WritePlan.Locked.class).changes().get(0).minTokensMilli())
          .isEqualTo(10_000);
      BucketState met = at(on(ENTITY_RESOURCE, 4), bucket(T + i, holds(RPM, 10)));
      script.write(WritePlan.Locked.class, met, T + i);
    }
    assertThat(script.plan(WritePlan.Locked.class).changes())
        .as("only that what is cut off is still there")
        .containsExactly(new LimitChange("rpm", -4_000, 0, 4_000, LimitChange.NO_CEILING));
  }

  @Test
  void write_refusedEveryTime_failsAfterTheLastAttempt() {
    Script<ApplyConfigProtocol.Result> script = refresh(TERMS, OLD, T);
    for (int i = 1; i <= ApplyConfigProtocol.MAX_ATTEMPTS; i++) {
      BucketState met = at(on(ENTITY_RESOURCE, 4), bucket(T + i, holds(RPM, 10)));
      script.write(WritePlan.Locked.class, met, T + i);
    }

    assertThat(script.result().kind()).isEqualTo(Kind.FAILED);
    assertThat(script.result().failure())
        .isEqualTo(new StoreFailure(StoreFailure.Kind.CONTENDED, null));
  }

  @Test
  void write_answerLostAndItWasMade_isChanged() {
    Script<ApplyConfigProtocol.Result> script = refresh(TERMS, OLD, T);
    BucketState ours = PureStore.applied(OLD, script.plan(WritePlan.Locked.class));

    assertThat(script.lose(WritePlan.Locked.class, T).read(ours, T).result())
        .isEqualTo(new ApplyConfigProtocol.Result(Kind.CHANGED, ours, null));
  }

  @Test
  void write_answerLostAndItWasNotMade_isMadeAgain() {
    assertThat(
            refresh(TERMS, OLD, T)
                .lose(WritePlan.Locked.class, T)
                .read(OLD, T)
                .write(WritePlan.Locked.class, OLD, T)
                .result()
                .kind())
        .isEqualTo(Kind.CHANGED);
  }

  @Test
  void write_answerLostTooOften_fails() {
    Script<ApplyConfigProtocol.Result> script = refresh(TERMS, OLD, T);
    for (int i = 0; i < ApplyConfigProtocol.MAX_LOST_ANSWERS; i++) {
      script.lose(WritePlan.Locked.class, T).read(OLD, T);
    }

    assertThat(script.lose(WritePlan.Locked.class, T).result())
        .isEqualTo(new ApplyConfigProtocol.Result(Kind.FAILED, OLD, LOST));
  }

  @Test
  void write_conflicts_comesAgainAFewTimes() {
    Script<ApplyConfigProtocol.Result> script = refresh(TERMS, OLD, T);
    for (int i = 0; i < CommitProtocol.MAX_CONFLICTS; i++) {
      script.conflict(WritePlan.Locked.class, T);
    }

    assertThat(script.conflict(WritePlan.Locked.class, T).result())
        .isEqualTo(new ApplyConfigProtocol.Result(Kind.FAILED, OLD, CONFLICT));
  }

  @Test
  void write_throttled_fails() {
    assertThat(refresh(TERMS, OLD, T).throttle(WritePlan.Locked.class, T).result())
        .isEqualTo(new ApplyConfigProtocol.Result(Kind.FAILED, OLD, SLOW_DOWN));
  }

  @Test
  void keepingLimits_bucketOfACall_followsTheVersionAndTheSwitch() {
    BucketState ofCall = at(on(CALL, 4), bucket(T, holds(RPM, 10), holds(TPM, 5)));

    EffectiveLimits terms = ApplyConfigProtocol.keepingLimits(ofCall, off(ENTITY_RESOURCE, 5));

    assertThat(terms).isEqualTo(new EffectiveLimits(LimitSet.of(RPM, TPM), off(CALL, 5)));
    WritePlan.Locked plan = refresh(terms, ofCall, T).plan(WritePlan.Locked.class);
    assertThat(plan.parameters().changesLimits()).isFalse();
    assertThat(plan.parameters().stamp()).isEqualTo(off(CALL, 5));
  }

  /** Nothing that is stored stands behind its limits any more, so it may expire. */
  @Test
  void keepingLimits_bucketThatStayed_maySayGoodbye() {
    EffectiveLimits terms = ApplyConfigProtocol.keepingLimits(OLD, on(CALL, 5));

    assertThat(terms.stamp()).isEqualTo(on(CALL, 5));
    assertThat(refresh(terms, OLD, T).plan(WritePlan.Locked.class).expiresAtSeconds())
        .isNotEqualTo(BucketState.NEVER);
  }

  private static BucketState state(ApplyConfigProtocol.Result result) {
    return Objects.requireNonNull(result.state());
  }

  private static Script<ApplyConfigProtocol.Result> refresh(
      EffectiveLimits terms, @Nullable BucketState known, long nowMs) {
    ApplyConfigProtocol refresh =
        new ApplyConfigProtocol(KEY, terms, PlanSettings.DEFAULT, CommitCase.ops());
    return Script.of(refresh.start(known, nowMs));
  }
}
