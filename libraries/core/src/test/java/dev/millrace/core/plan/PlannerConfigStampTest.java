package dev.millrace.core.plan;

import static dev.millrace.core.config.ConfigLevel.CALL;
import static dev.millrace.core.config.ConfigLevel.ENTITY;
import static dev.millrace.core.config.ConfigLevel.ENTITY_RESOURCE;
import static dev.millrace.core.config.ConfigLevel.RESOURCE;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.at;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.off;
import static dev.millrace.core.testing.Buckets.on;
import static dev.millrace.core.testing.Buckets.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.config.ConfigStamp;
import dev.millrace.core.config.RecordVersions;
import dev.millrace.core.config.Terms;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the bucket follows, and what the caller knows. */
class PlannerConfigStampTest {
  private static final Limit RPM = Limit.perMinute("rpm", 60);
  private static final Limit TPM = Limit.perMinute("tpm", 6_000);
  private static final LimitSet ONE = LimitSet.of(RPM);
  private static final BucketState TEN = bucket(T, holds(RPM, 10));

  @Test
  void of_bucketAhead_isOutdatedAndNothingElse() {
    Projection projection = project(at(off(RESOURCE, 6), TEN), on(RESOURCE, 5), T);

    assertThat(projection.isOutdated()).isTrue();
    assertThat(projection.isDisabled()).isFalse();
    assertThat(projection.differs()).isFalse();
    assertThat(projection.needsRepair()).isFalse();
    assertThat(projection.isEmpty()).isTrue();
  }

  @Test
  void of_bucketAheadAndWild_isLeftToThoseWhoAreNotBehind() {
    BucketState wild = bucket(T + 3_600_000, holds(RPM, 10));

    assertThat(project(at(on(RESOURCE, 6), wild), on(RESOURCE, 5), T).needsRepair()).isFalse();
    assertThat(project(at(on(RESOURCE, 6), wild), on(RESOURCE, 6), T).needsRepair()).isTrue();
  }

  @Test
  void write_bucketAhead_isABug() {
    Projection projection = project(at(on(RESOURCE, 6), TEN), on(RESOURCE, 5), T);
    projection.take(tokens(ONE, 1));

    assertThatThrownBy(() -> Planner.locked(projection, false, "op"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a plan for ns/key-42/gpt-4#0, which is ahead of the caller's limits");
    assertThatThrownBy(() -> Planner.consume(projection, PlanSettings.DEFAULT, "op"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void of_sameStamp_isAsEver() {
    Projection projection = project(at(on(RESOURCE, 5), TEN), on(RESOURCE, 5), T);

    assertThat(projection.needsRepair()).isFalse();
    assertThat(projection.differs()).isFalse();
    assertThat(projection.refilledAtMs()).isEqualTo(T);
    projection.take(tokens(ONE, 1));
    assertThat(Planner.locked(projection, false, "op").parameters())
        .isSameAs(WritePlan.Parameters.UNCHANGED);
  }

  /** Bookkeeping: it goes along with a claim, and is no reason to make one. */
  @Test
  void of_versionAloneDiffers_forcesNoWriteAndGoesAlong() {
    Projection projection = project(at(on(RESOURCE, 4), TEN), on(RESOURCE, 5), T);

    assertThat(projection.differs()).isTrue();
    assertThat(projection.needsRepair()).isFalse();
    assertThat(projection.isEmpty()).isTrue();
    projection.take(tokens(ONE, 1));
    assertThat(Planner.write(projection, true, PlanSettings.DEFAULT, "op"))
        .isInstanceOf(WritePlan.Consume.class);
    WritePlan.Locked locked = Planner.locked(projection, false, "op");
    assertThat(locked.parameters())
        .isEqualTo(new WritePlan.Parameters(List.of(), List.of(), List.of(), on(RESOURCE, 5)));
    assertThat(locked.refilledAtMs()).isEqualTo(T + 1);
  }

  @Test
  void of_levelDiffers_isRepaired() {
    Projection projection = project(at(on(CALL, 5), TEN), on(RESOURCE, 5), T);

    assertThat(projection.needsRepair()).isTrue();
    assertThat(Planner.canConsume(projection)).isFalse();
    assertThat(Planner.locked(projection, true, "op").parameters().stamp())
        .isEqualTo(on(RESOURCE, 5));
  }

  @Test
  void of_callAtTheSameVersion_imposesItsLimits() {
    LimitSet given = LimitSet.of(RPM.withBurst(90));
    Projection projection =
        Projection.of(at(on(RESOURCE, 5), TEN), new Terms(given, on(CALL, 5)), T, 10_000);

    assertThat(projection.needsRepair()).isTrue();
    assertThat(Planner.locked(projection, false, "op").parameters())
        .isEqualTo(
            new WritePlan.Parameters(
                List.of(RPM.withBurst(90)), List.of(), List.of(), on(CALL, 5)));
  }

  @Test
  void of_termsSwitchOff_areDisabledAndRepair() {
    Projection projection = project(at(on(RESOURCE, 4), TEN), off(RESOURCE, 5), T);

    assertThat(projection.isDisabled()).isTrue();
    assertThat(projection.needsRepair()).isTrue();
    WritePlan.Locked plan = Planner.locked(projection, false, "op");
    assertThat(plan.parameters().stamp()).isEqualTo(off(RESOURCE, 5));
    assertThat(plan.refilledAtMs()).as("the lock moves").isEqualTo(T + 1);
  }

  @Test
  void of_termsSwitchOn_areNotDisabledAndRepair() {
    Projection projection = project(at(off(RESOURCE, 4), TEN), on(RESOURCE, 5), T);

    assertThat(projection.isDisabled()).isFalse();
    assertThat(projection.needsRepair()).isTrue();
    assertThat(Planner.locked(projection, false, "op").parameters().stamp())
        .isEqualTo(on(RESOURCE, 5));
  }

  /** The sum of the caller's versions is the greater one. */
  @Test
  void of_callerNewerInOneRecordAndOlderInAnother_isOutdated() {
    ConfigStamp stale = new ConfigStamp(ENTITY, new RecordVersions(1, 0, 1, 5, 5), false);
    ConfigStamp lowered = new ConfigStamp(ENTITY, new RecordVersions(1, 0, 2, 3, 3), false);
    Projection projection = project(at(lowered, TEN), stale, T);

    assertThat(projection.isOutdated()).isTrue();
    assertThat(projection.differs()).isFalse();
    assertThat(projection.needsRepair()).isFalse();
  }

  /** Honestly it cannot; after a restore it may. */
  @Test
  void of_sameVersionsAndTheSwitchDiffers_isOff() {
    Projection bucketOff = project(at(off(RESOURCE, 5), TEN), on(RESOURCE, 5), T);
    Projection bucketOn = project(at(on(RESOURCE, 5), TEN), off(RESOURCE, 5), T);

    assertThat(bucketOff.isDisabled()).isTrue();
    assertThat(bucketOff.differs()).isFalse();
    assertThat(bucketOn.isDisabled()).isTrue();
    assertThat(bucketOn.needsRepair()).isTrue();
  }

  @Test
  void canConsume_disabled_isFalse() {
    assertThat(Planner.canConsume(project(at(off(RESOURCE, 5), TEN), off(RESOURCE, 5), T)))
        .isFalse();
  }

  @Test
  void locked_storedLimitsAndAnOrphan_removesItWhateverItsBalance() {
    BucketState state = at(on(ENTITY, 4), bucket(T, holds(RPM, 10), holds(TPM, -50)));
    Projection projection = project(state, on(ENTITY, 5), T + 1_000);

    assertThat(projection.needsRepair()).isTrue();
    WritePlan.Locked plan = Planner.locked(projection, false, "op");
    assertThat(plan.changes()).extracting(LimitChange::name).containsExactly("rpm");
    assertThat(plan.parameters().removed())
        .containsExactly(new WritePlan.Removal("tpm", LimitChange.NO_FLOOR));
  }

  @Test
  void of_callAndAnOrphan_isAsEver() {
    BucketState state = at(on(CALL, 5), bucket(T, holds(RPM, 10), holds(TPM, 10)));
    Projection projection = project(state, on(CALL, 5), T + 1_000);

    assertThat(projection.needsRepair()).isFalse();
    assertThat(Planner.locked(projection, false, "op").parameters().removed()).isEmpty();
  }

  @Test
  void expiry_entityAndResource_isNever() {
    ConfigStamp stays = on(ENTITY_RESOURCE, 5);
    Projection projection = project(at(stays, TEN), stays, T);
    projection.take(tokens(ONE, 1));
    assertThat(Planner.locked(projection, false, "op").expiresAtSeconds())
        .isEqualTo(BucketState.NEVER);
    assertThat(Planner.consume(projection, PlanSettings.DEFAULT, "op").expiresAtSeconds())
        .isEqualTo(BucketState.NEVER);

    Terms terms = new Terms(ONE, stays);
    Projection created = Projection.of(BucketState.full(KEY, terms, T), terms, T, 10_000);
    created.take(tokens(ONE, 1));
    assertThat(Planner.create(created, "op").state().expiresAtSeconds())
        .isEqualTo(BucketState.NEVER);
    assertThat(Planner.create(created, "op").state().stamp()).isEqualTo(stays);
    assertThat(Planner.createExpiring(created, "op").state().expiresAtSeconds())
        .isEqualTo(T / 1_000 + 3_600);
    assertThat(Planner.createExpiring(created, "op").state().stamp()).isEqualTo(stays);
  }

  @Test
  void expiry_otherLevelNow_isByTheNewOne() {
    Projection projection = project(at(on(ENTITY_RESOURCE, 4), TEN), on(ENTITY, 5), T);

    assertThat(Planner.locked(projection, false, "op").expiresAtSeconds())
        .isEqualTo(T / 1_000 + 3_600);
  }

  private static Projection project(BucketState state, ConfigStamp known, long nowMs) {
    return Projection.of(state, new Terms(ONE, known), nowMs, 10_000);
  }
}
