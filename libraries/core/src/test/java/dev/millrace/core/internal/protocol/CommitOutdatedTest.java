package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.LIMITS;
import static dev.millrace.core.internal.protocol.CommitCase.NOTHING;
import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.CommitCase.acquire;
import static dev.millrace.core.internal.protocol.CommitCase.charge;
import static dev.millrace.core.internal.protocol.CommitCase.commit;
import static dev.millrace.core.internal.protocol.CommitCase.seen;
import static dev.millrace.core.spi.config.ConfigLevel.CALL;
import static dev.millrace.core.spi.config.ConfigLevel.ENTITY_RESOURCE;
import static dev.millrace.core.spi.config.ConfigLevel.RESOURCE;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.at;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.off;
import static dev.millrace.core.testing.Buckets.on;
import static dev.millrace.core.testing.Buckets.tokens;
import static dev.millrace.core.testing.Script.LOST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.LimitSet;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.testing.Script;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The bucket follows another configuration than the caller knows. */
class CommitOutdatedTest {
  private static final EffectiveLimits FIVE = new EffectiveLimits(LIMITS, on(RESOURCE, 5));
  private static final BucketState TEN = bucket(T, holds(RPM, 10));
  private static final BucketState AHEAD = at(on(RESOURCE, 6), TEN);
  private static final Outcome OUTDATED = new Outcome.Outdated(on(RESOURCE, 6));

  @Test
  void start_bucketSeenAheadJustNow_isToldAtNoCost() {
    CommitResult result = commit(FIVE, seen(AHEAD), T + 999, acquire(1)).result();

    assertThat(result).isEqualTo(new CommitResult(List.of(OUTDATED), seen(AHEAD), NOTHING));
  }

  @Test
  void start_bucketSeenAheadLongAgo_isReadFirst() {
    CommitResult result =
        commit(FIVE, seen(AHEAD), T + 1_000, acquire(1)).read(AHEAD, T + 1_005).result();

    assertThat(result.outcomes()).containsExactly(OUTDATED);
    assertThat(Objects.requireNonNull(result.snapshot()).seenAtMs()).isEqualTo(T + 1_005);
  }

  @Test
  void start_bucketNeverSeenAndAhead_isTold() {
    assertThat(commit(FIVE, null, T, acquire(1)).read(AHEAD, T).result().outcomes())
        .containsExactly(OUTDATED);
  }

  /** It may be full or empty by its own limits: who is behind does not know those. */
  @Test
  void start_aheadAndEmpty_isOutdatedNotRefused() {
    BucketState empty = at(off(RESOURCE, 6), bucket(T, holds(RPM, 0)));

    assertThat(commit(FIVE, seen(empty), T, acquire(1)).result().outcomes())
        .containsExactly(new Outcome.Outdated(off(RESOURCE, 6)));
  }

  @Test
  void write_refusedByABucketThatIsAhead_isTold() {
    BucketState seen = at(on(RESOURCE, 5), TEN);
    BucketState ahead = at(on(RESOURCE, 6), bucket(T + 5, holds(RPM, 10)));

    CommitResult result =
        commit(FIVE, seen(seen), T, acquire(1))
            .write(WritePlan.Locked.class, ahead, T + 9)
            .result();

    assertThat(result.outcomes()).containsExactly(OUTDATED);
    assertThat(result.trace()).isEqualTo(NOTHING.withLostLock());
  }

  @Test
  void start_aheadAndProvision_isSkipped() {
    BucketDemand prefetch = BucketDemand.prefetch(tokens(LIMITS, 1), tokens(LIMITS, 0));

    assertThat(commit(FIVE, seen(AHEAD), T, prefetch, acquire(1)).result().outcomes())
        .containsExactly(Outcome.SKIPPED, OUTDATED);
  }

  @Test
  void start_aheadAndSettlements_areSettledByThemselves() {
    Script<CommitResult> script =
        commit(FIVE, seen(AHEAD), T, acquire(1), charge(2), acquire(3), charge(4));

    assertThat(script.plan(WritePlan.Adjust.class).changes())
        .containsExactly(LimitChange.unconditional("rpm", -6_000, 6_000));
    CommitResult result = script.write(WritePlan.Adjust.class, AHEAD, T + 9).result();
    assertThat(result.outcomes())
        .containsExactly(OUTDATED, Outcome.SETTLED, OUTDATED, Outcome.SETTLED);
    assertThat(Objects.requireNonNull(result.snapshot()).state().stamp())
        .isEqualTo(on(RESOURCE, 6));
  }

  @Test
  void write_settlementBesideAnOutdatedAcquireLostEveryTime_isLeftToTheCaller() {
    CommitResult result =
        commit(FIVE, seen(AHEAD), T, acquire(1), charge(2))
            .lose(WritePlan.Adjust.class, T)
            .read(AHEAD, T)
            .loseCommit(WritePlan.Adjust.class, T)
            .loseCommit(WritePlan.Adjust.class, T)
            .loseCommit(WritePlan.Adjust.class, T)
            .result();

    assertThat(result.outcomes())
        .containsExactly(OUTDATED, new Outcome.Unavailable(LOST, /* mayBeCharged= */ true));
    assertThat(result.trace().unknownOutcomes()).isEqualTo(4);
    assertThat(result.uncertain()).isNotNull();
  }

  @Test
  void write_answerLostAndTheBucketIsAheadByThen_settlesTheChargesAgain() {
    CommitResult result =
        commit(FIVE, seen(at(on(RESOURCE, 5), TEN)), T, acquire(1), charge(2))
            .lose(WritePlan.Locked.class, T)
            .read(AHEAD, T)
            .commit(WritePlan.Adjust.class, AHEAD, T)
            .result();

    assertThat(result.outcomes())
        .containsExactly(new Outcome.Unavailable(LOST, /* mayBeCharged= */ true), Outcome.SETTLED);
  }

  @Test
  void start_onlySettlementsAndTheBucketIsAhead_areSettled() {
    assertThat(
            commit(FIVE, seen(AHEAD), T, charge(2))
                .write(WritePlan.Adjust.class, AHEAD, T)
                .result()
                .outcomes())
        .containsExactly(Outcome.SETTLED);
  }

  @Test
  void start_bucketBehind_isRepairedInTheWriteThatConsumes() {
    BucketState behind = at(on(ENTITY_RESOURCE, 4), bucket(T, holds(RPM.withBurst(90), 80)));

    Script<CommitResult> script = commit(FIVE, seen(behind), T, acquire(1));
    CommitResult result = script.write(WritePlan.Locked.class, behind, T + 5).result();

    assertThat(result.outcomes()).containsExactly(Outcome.ADMITTED);
    assertThat(result.trace()).isEqualTo(NOTHING.withReparameterised());
    BucketState after = Objects.requireNonNull(result.snapshot()).state();
    assertThat(after.stamp()).isEqualTo(on(RESOURCE, 5));
    assertThat(after.limits().get(0).tokensMilli()).isEqualTo(59_000);
    assertThat(after.expiresAtSeconds()).isNotEqualTo(BucketState.NEVER);
  }

  @Test
  void start_bucketBehindAndEmpty_isRepairedByTheRefusal() {
    BucketState behind = at(on(RESOURCE, 4), bucket(T, holds(RPM.withBurst(90), 0)));

    CommitResult result =
        commit(FIVE, seen(behind), T, acquire(1)).write(WritePlan.Locked.class, behind, T).result();

    assertThat(result.outcomes()).hasSize(1).first().isInstanceOf(Outcome.Rejected.class);
    assertThat(Objects.requireNonNull(result.snapshot()).state().stamp())
        .isEqualTo(on(RESOURCE, 5));
  }

  @Test
  void start_versionAloneBehindAndEmpty_isRefusedAtNoCost() {
    BucketState behind = at(on(RESOURCE, 4), bucket(T, holds(RPM, 0)));

    assertThat(commit(FIVE, seen(behind), T, acquire(1)).result().outcomes())
        .hasSize(1)
        .first()
        .isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void start_versionAloneBehind_goesAlongAndIsNoChangeOfLimits() {
    BucketState behind = at(on(RESOURCE, 4), TEN);

    CommitResult result =
        commit(FIVE, seen(behind), T + 5, acquire(1))
            .write(WritePlan.Locked.class, behind, T + 9)
            .result();

    assertThat(Objects.requireNonNull(result.snapshot()).state().stamp())
        .isEqualTo(on(RESOURCE, 5));
    assertThat(result.trace()).isEqualTo(NOTHING);
  }

  @Test
  void start_levelDiffersAndContended_claims() {
    BucketSnapshot contended =
        new BucketSnapshot(at(on(CALL, 5), TEN), T, T + 10_000, /* lively= */ true);

    commit(FIVE, contended, T + 10, acquire(1)).plan(WritePlan.Locked.class);
  }

  /** Who was too late twice consumes what is stored, but not from a bucket that needs a repair. */
  @Test
  void write_tooLateTwiceAndTheLevelDiffers_claims() {
    Script<CommitResult> script = commit(FIVE, seen(at(on(CALL, 5), TEN)), T, acquire(1));
    for (int i = 1; i <= 3; i++) {
      BucketState met = at(on(CALL, 5), bucket(T + i, holds(RPM, 10)));
      script.write(WritePlan.Locked.class, met, T + i);
    }
    script.plan(WritePlan.Locked.class);
  }

  @Test
  void create_storedTerms_haveTheirStamp() {
    EffectiveLimits stays = new EffectiveLimits(LimitSet.of(RPM), on(ENTITY_RESOURCE, 7));

    BucketState created =
        commit(stays, null, T, acquire(1)).read(null, T).plan(WritePlan.Create.class).state();

    assertThat(created.stamp()).isEqualTo(on(ENTITY_RESOURCE, 7));
    assertThat(created.expiresAtSeconds()).isEqualTo(BucketState.NEVER);
  }
}
