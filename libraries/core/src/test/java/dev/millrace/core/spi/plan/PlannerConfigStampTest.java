package dev.millrace.core.spi.plan;

import static dev.millrace.core.spi.config.ConfigLevel.CALL;
import static dev.millrace.core.spi.config.ConfigLevel.ENTITY;
import static dev.millrace.core.spi.config.ConfigLevel.ENTITY_RESOURCE;
import static dev.millrace.core.spi.config.ConfigLevel.RESOURCE;
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

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
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
    BucketView view = project(at(off(RESOURCE, 6), TEN), on(RESOURCE, 5), T);

    assertThat(view.isOutdated()).isTrue();
    assertThat(view.isDisabled()).isFalse();
    assertThat(view.differs()).isFalse();
    assertThat(view.needsRepair()).isFalse();
    assertThat(view.isEmpty()).isTrue();
  }

  @Test
  void of_bucketAheadAndWild_isLeftToThoseWhoAreNotBehind() {
    BucketState wild = bucket(T + 3_600_000, holds(RPM, 10));

    assertThat(project(at(on(RESOURCE, 6), wild), on(RESOURCE, 5), T).needsRepair()).isFalse();
    assertThat(project(at(on(RESOURCE, 6), wild), on(RESOURCE, 6), T).needsRepair()).isTrue();
  }

  @Test
  void write_bucketAhead_isABug() {
    BucketView view = project(at(on(RESOURCE, 6), TEN), on(RESOURCE, 5), T);
    view.take(tokens(ONE, 1));

    assertThatThrownBy(() -> WritePlanner.locked(view, false, "op"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a plan for ns/key-42/gpt-4#0, which is ahead of the caller's limits");
    assertThatThrownBy(() -> WritePlanner.consume(view, PlanSettings.DEFAULT, "op"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void of_sameStamp_isAsEver() {
    BucketView view = project(at(on(RESOURCE, 5), TEN), on(RESOURCE, 5), T);

    assertThat(view.needsRepair()).isFalse();
    assertThat(view.differs()).isFalse();
    assertThat(view.earningFromMs).isEqualTo(T);
    view.take(tokens(ONE, 1));
    assertThat(WritePlanner.locked(view, false, "op").parameters())
        .isSameAs(WritePlan.Parameters.UNCHANGED);
  }

  /** Bookkeeping: it goes along with a claim, and is no reason to make one. */
  @Test
  void of_versionAloneDiffers_forcesNoWriteAndGoesAlong() {
    BucketView view = project(at(on(RESOURCE, 4), TEN), on(RESOURCE, 5), T);

    assertThat(view.differs()).isTrue();
    assertThat(view.needsRepair()).isFalse();
    assertThat(view.isEmpty()).isTrue();
    view.take(tokens(ONE, 1));
    assertThat(WritePlanner.write(view, true, PlanSettings.DEFAULT, "op"))
        .isInstanceOf(WritePlan.Consume.class);
    WritePlan.Locked locked = WritePlanner.locked(view, false, "op");
    assertThat(locked.parameters())
        .isEqualTo(new WritePlan.Parameters(List.of(), List.of(), List.of(), on(RESOURCE, 5)));
    assertThat(locked.refilledAtMs()).isEqualTo(T + 1);
  }

  @Test
  void of_levelDiffers_isRepaired() {
    BucketView view = project(at(on(CALL, 5), TEN), on(RESOURCE, 5), T);

    assertThat(view.needsRepair()).isTrue();
    assertThat(WritePlanner.canConsume(view)).isFalse();
    assertThat(WritePlanner.locked(view, true, "op").parameters().stamp())
        .isEqualTo(on(RESOURCE, 5));
  }

  @Test
  void of_callAtTheSameVersion_imposesItsLimits() {
    LimitSet given = LimitSet.of(RPM.withBurst(90));
    BucketView view =
        BucketView.of(at(on(RESOURCE, 5), TEN), new EffectiveLimits(given, on(CALL, 5)), T, 10_000);

    assertThat(view.needsRepair()).isTrue();
    assertThat(WritePlanner.locked(view, false, "op").parameters())
        .isEqualTo(
            new WritePlan.Parameters(
                List.of(RPM.withBurst(90)), List.of(), List.of(), on(CALL, 5)));
  }

  @Test
  void of_termsSwitchOff_areDisabledAndRepair() {
    BucketView view = project(at(on(RESOURCE, 4), TEN), off(RESOURCE, 5), T);

    assertThat(view.isDisabled()).isTrue();
    assertThat(view.needsRepair()).isTrue();
    WritePlan.Locked plan = WritePlanner.locked(view, false, "op");
    assertThat(plan.parameters().stamp()).isEqualTo(off(RESOURCE, 5));
    assertThat(plan.refilledAtMs()).as("the lock moves").isEqualTo(T + 1);
  }

  @Test
  void of_termsSwitchOn_areNotDisabledAndRepair() {
    BucketView view = project(at(off(RESOURCE, 4), TEN), on(RESOURCE, 5), T);

    assertThat(view.isDisabled()).isFalse();
    assertThat(view.needsRepair()).isTrue();
    assertThat(WritePlanner.locked(view, false, "op").parameters().stamp())
        .isEqualTo(on(RESOURCE, 5));
  }

  /** The sum of the caller's versions is the greater one. */
  @Test
  void of_callerNewerInOneRecordAndOlderInAnother_isOutdated() {
    ConfigStamp stale = new ConfigStamp(ENTITY, new RecordVersions(1, 0, 1, 5, 5), false);
    ConfigStamp lowered = new ConfigStamp(ENTITY, new RecordVersions(1, 0, 2, 3, 3), false);
    BucketView view = project(at(lowered, TEN), stale, T);

    assertThat(view.isOutdated()).isTrue();
    assertThat(view.differs()).isFalse();
    assertThat(view.needsRepair()).isFalse();
  }

  /** Honestly it cannot; after a restore it may. */
  @Test
  void of_sameVersionsAndTheSwitchDiffers_isOff() {
    BucketView bucketOff = project(at(off(RESOURCE, 5), TEN), on(RESOURCE, 5), T);
    BucketView bucketOn = project(at(on(RESOURCE, 5), TEN), off(RESOURCE, 5), T);

    assertThat(bucketOff.isDisabled()).isTrue();
    assertThat(bucketOff.differs()).isFalse();
    assertThat(bucketOn.isDisabled()).isTrue();
    assertThat(bucketOn.needsRepair()).isTrue();
  }

  @Test
  void canConsume_disabled_isFalse() {
    assertThat(WritePlanner.canConsume(project(at(off(RESOURCE, 5), TEN), off(RESOURCE, 5), T)))
        .isFalse();
  }

  @Test
  void locked_storedLimitsAndAnOrphan_removesItWhateverItsBalance() {
    BucketState state = at(on(ENTITY, 4), bucket(T, holds(RPM, 10), holds(TPM, -50)));
    BucketView view = project(state, on(ENTITY, 5), T + 1_000);

    assertThat(view.needsRepair()).isTrue();
    WritePlan.Locked plan = WritePlanner.locked(view, false, "op");
    assertThat(plan.changes()).extracting(LimitChange::name).containsExactly("rpm");
    assertThat(plan.parameters().removed())
        .containsExactly(new WritePlan.Removal("tpm", LimitChange.NO_FLOOR));
  }

  @Test
  void of_callAndAnOrphan_isAsEver() {
    BucketState state = at(on(CALL, 5), bucket(T, holds(RPM, 10), holds(TPM, 10)));
    BucketView view = project(state, on(CALL, 5), T + 1_000);

    assertThat(view.needsRepair()).isFalse();
    assertThat(WritePlanner.locked(view, false, "op").parameters().removed()).isEmpty();
  }

  @Test
  void expiry_entityAndResource_isNever() {
    ConfigStamp stays = on(ENTITY_RESOURCE, 5);
    BucketView view = project(at(stays, TEN), stays, T);
    view.take(tokens(ONE, 1));
    assertThat(WritePlanner.locked(view, false, "op").expiresAtSeconds())
        .isEqualTo(BucketState.NEVER);
    assertThat(WritePlanner.consume(view, PlanSettings.DEFAULT, "op").expiresAtSeconds())
        .isEqualTo(BucketState.NEVER);

    EffectiveLimits terms = new EffectiveLimits(ONE, stays);
    BucketView created = BucketView.of(BucketState.full(KEY, terms, T), terms, T, 10_000);
    created.take(tokens(ONE, 1));
    assertThat(WritePlanner.create(created, "op").state().expiresAtSeconds())
        .isEqualTo(BucketState.NEVER);
    assertThat(WritePlanner.create(created, "op").state().stamp()).isEqualTo(stays);
    assertThat(WritePlanner.createExpiring(created, "op").state().expiresAtSeconds())
        .isEqualTo(T / 1_000 + 3_600);
    assertThat(WritePlanner.createExpiring(created, "op").state().stamp()).isEqualTo(stays);
  }

  @Test
  void expiry_otherLevelNow_isByTheNewOne() {
    BucketView view = project(at(on(ENTITY_RESOURCE, 4), TEN), on(ENTITY, 5), T);

    assertThat(WritePlanner.locked(view, false, "op").expiresAtSeconds())
        .isEqualTo(T / 1_000 + 3_600);
  }

  private static BucketView project(BucketState state, ConfigStamp known, long nowMs) {
    return BucketView.of(state, new EffectiveLimits(ONE, known), nowMs, 10_000);
  }
}
