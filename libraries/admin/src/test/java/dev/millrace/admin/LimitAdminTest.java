package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LimitAdminTest {
  private static final LimitSet HOURLY = LimitSet.of(Limit.perHour("rpm", 600));

  private final World world = new World();
  private final LimitAdmin limits = world.ns.limits();

  static List<LimitTarget> targets() {
    return List.of(
        LimitTarget.entityResource("e", "r"),
        LimitTarget.entity("e"),
        LimitTarget.resource("r"),
        LimitTarget.system());
  }

  private static String subject(LimitTarget target) {
    return switch (target.level()) {
      case RESOURCE -> "$RESOURCE:r";
      case SYSTEM -> "$SYSTEM";
      default -> "e";
    };
  }

  @ParameterizedTest
  @MethodSource("targets")
  void set_eachLevel_isStoredAuditedAndDeleted(LimitTarget target) {
    assertThat(limits.get(target)).isEmpty();

    assertThat(limits.set(target, World.RPM_10).changed()).isTrue();
    assertThat(limits.set(target, World.RPM_100).changed()).isTrue();
    assertThat(limits.set(target, World.RPM_100).changed()).isFalse();

    assertThat(limits.get(target))
        .contains(new StoredLimits(target, World.RPM_100, null, false, 2, null));
    assertThat(Objects.requireNonNull(world.terms("e", "r")).limits()).isEqualTo(World.RPM_100);
    assertThat(Objects.requireNonNull(world.terms("e", "r")).stamp().level())
        .isEqualTo(target.level());

    assertThat(limits.delete(target).changed()).isTrue();
    assertThat(limits.delete(target).changed()).isFalse();
    assertThat(limits.get(target)).isEmpty();
    assertThat(world.terms("e", "r")).isNull();
    assertThat(world.actions(subject(target)))
        .containsExactly("limits.set", "limits.set", "limits.delete");
  }

  @Test
  void set_event_hasBeforeAndAfter() {
    LimitTarget target = LimitTarget.entityResource("e", "r");
    limits.set(target, World.RPM_10);
    limits.set(target, LimitSet.of(Limit.perMinute("rpm", 5).withBurst(20).asSoft()));

    AuditEntry event = world.ns.audit().ofEntity("e", AuditQuery.newest(1)).items().get(0);

    assertThat(event.before())
        .containsEntry("limit.rpm", "capacity 10, burst 10, refill 10 every 60000 ms")
        .containsEntry("resource", "r");
    assertThat(event.after())
        .containsEntry("limit.rpm", "capacity 5, burst 20, refill 5 every 60000 ms, soft");
  }

  @Test
  void set_otherPeriodThanWeakerLevel_isRefused() {
    limits.set(LimitTarget.system(), World.RPM_10);
    for (LimitTarget target : targets().subList(0, 3)) {
      RefusalAssertion.because(
          world,
          Reason.OTHER_PERIOD,
          "{limit=rpm, period=PT1H, storedPeriod=PT1M, storedAt=system}",
          () -> limits.set(target, HOURLY));
    }
    limits.delete(LimitTarget.system());
    limits.set(LimitTarget.resource("r"), World.RPM_10);
    RefusalAssertion.because(
        world,
        Reason.OTHER_PERIOD,
        "storedAt=resource",
        () -> limits.set(LimitTarget.entityResource("e", "r"), HOURLY));
    limits.set(LimitTarget.entity("e2"), World.RPM_10);
    RefusalAssertion.because(
        world,
        Reason.OTHER_PERIOD,
        "storedAt=entity",
        () -> limits.set(LimitTarget.entityResource("e2", "other"), HOURLY));
  }

  @Test
  void set_otherPeriod_isAllowedWhenSaidOrWhenTheNameDiffers() {
    limits.set(LimitTarget.resource("r"), World.RPM_10);
    LimitTarget target = LimitTarget.entityResource("e", "r");

    limits.set(target, LimitSet.of(Limit.perHour("rph", 600)));
    limits.set(target, LimitSet.of(Limit.perMinute("rpm", 7)));
    limits.set(target, HOURLY, SetOptions.DEFAULT.allowingOtherPeriods());

    assertThat(limits.get(target).orElseThrow().limits()).isEqualTo(HOURLY);
    // A weaker level does not look at the stronger ones.
    limits.set(LimitTarget.resource("r"), World.RPM_100);
  }

  /** Fault 24 of the original: setting the system's limits lost its other settings. */
  @Test
  void settings_changedOneByOne_loseNothing() {
    limits.setAuditRetentionDays(30);
    limits.set(LimitTarget.system(), World.RPM_10);
    limits.setOnUnavailable(OnUnavailable.ALLOW);
    limits.set(LimitTarget.system(), World.RPM_100);

    assertThat(limits.settings()).isEqualTo(new SystemSettings(OnUnavailable.ALLOW, 30));
    assertThat(limits.get(LimitTarget.system()).orElseThrow().limits()).isEqualTo(World.RPM_100);
    limits.delete(LimitTarget.system());
    assertThat(limits.settings()).isEqualTo(new SystemSettings(OnUnavailable.ALLOW, 30));
    limits.setOnUnavailable(null);
    assertThat(limits.settings()).isEqualTo(new SystemSettings(null, 30));
    assertThatThrownBy(() -> limits.setAuditRetentionDays(0))
        .hasMessage("auditRetentionDays 0 must be from 1 to 36600");
  }

  @Test
  void settings_changedByTwoAtOnce_keepsBoth() {
    LimitAdmin others = world.another().in(World.NS).limits();
    world.store.once(
        call -> call instanceof StoreCall.Transaction,
        Fault.before(() -> others.setAuditRetentionDays(10)));

    limits.setOnUnavailable(OnUnavailable.BLOCK);

    assertThat(limits.settings()).isEqualTo(new SystemSettings(OnUnavailable.BLOCK, 10));
  }

  @Test
  void setCascade_resourceAndEntityResource_overridesTheEntity() {
    world.ns.entities().create(NewEntity.of("p"));
    world.ns.entities().create(NewEntity.of("e").under("p").cascading());

    limits.setCascade(LimitTarget.resource("r"), false, ProgressListener.NONE);
    assertThat(limits.explain("e", "r").cascade()).isFalse();
    assertThat(limits.explain("e", "r").cascadeFrom()).isEqualTo(ConfigLevel.RESOURCE);
    limits.setCascade(LimitTarget.entityResource("e", "r"), true, ProgressListener.NONE);
    assertThat(limits.explain("e", "r").cascade()).isTrue();
    assertThat(limits.explain("e", "r").cascadeFrom()).isEqualTo(ConfigLevel.ENTITY_RESOURCE);
    limits.setCascade(LimitTarget.resource("r"), null, ProgressListener.NONE);
    limits.setCascade(LimitTarget.entityResource("e", "r"), null, ProgressListener.NONE);
    assertThat(limits.explain("e", "r").cascade()).isTrue();
    assertThat(limits.explain("e", "r").cascadeFrom()).isEqualTo(ConfigLevel.ENTITY);
    assertThatThrownBy(
            () -> limits.setCascade(LimitTarget.entity("e"), true, ProgressListener.NONE))
        .hasMessage("level entity has no cascade: an entity has its own");
  }

  @Test
  void lists_manyPages_showEachOnceAndNoneThatSaysNothing() {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      limits.set(LimitTarget.entityResource("e-" + i, "r"), World.RPM_10);
      limits.set(LimitTarget.resource("r-" + i), World.RPM_10);
      if (i % 3 == 0) {
        limits.delete(LimitTarget.entityResource("e-" + i, "r"));
        limits.delete(LimitTarget.resource("r-" + i));
      } else {
        expected.add(String.valueOf(i));
      }
    }
    limits.set(LimitTarget.entity("d"), World.RPM_10);

    List<String> entities = new ArrayList<>();
    List<String> resources = new ArrayList<>();
    String cursor = null;
    do {
      Page<StoredLimits> page = limits.ofEntities("r", 17, cursor);
      page.items().forEach(each -> entities.add(each.target().entityId().substring(2)));
      cursor = page.cursor();
    } while (cursor != null);
    do {
      Page<StoredLimits> page = limits.ofResources(17, cursor);
      page.items().forEach(each -> resources.add(each.target().resource().substring(2)));
      cursor = page.cursor();
    } while (cursor != null);

    assertThat(entities).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(resources).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(limits.ofEntities(10, null).items())
        .extracting(each -> each.target().entityId())
        .containsExactly("d");
    assertThat(limits.ofEntity("e-1", 10, null).items())
        .extracting(StoredLimits::target)
        .containsExactly(LimitTarget.entityResource("e-1", "r"));
  }

  @Test
  void explain_allLevels_saysWhichGaveEachLimit() {
    LimitSet own = LimitSet.of(Limit.perMinute("rpm", 5), Limit.perDay("tpd", 50));
    world.ns.entities().create(NewEntity.of("org"));
    world.ns.entities().create(NewEntity.of("team").under("org"));
    world.ns.entities().create(NewEntity.of("e").under("team").cascading());
    limits.set(LimitTarget.system(), World.RPM_100);
    limits.set(LimitTarget.resource("r"), World.RPM_10);
    limits.set(LimitTarget.entityResource("e", "r"), own);
    world.ns.entities().setDisabled("team", true);

    LimitExplanation why = limits.explain("e", "r");

    assertThat(why.level()).isEqualTo(ConfigLevel.ENTITY_RESOURCE);
    assertThat(why.registered()).isTrue();
    assertThat(why.limits()).containsExactlyElementsOf(own);
    assertThat(why.elsewhere())
        .isEqualTo(
            Map.of(
                own.get(0).name(),
                Map.of(
                    ConfigLevel.RESOURCE, World.RPM_10.get(0),
                    ConfigLevel.SYSTEM, World.RPM_100.get(0)),
                own.get(1).name(),
                Map.of()));
    assertThat(why.levels())
        .extracting(level -> level.target().level())
        .containsExactly(ConfigLevel.ENTITY_RESOURCE, ConfigLevel.RESOURCE, ConfigLevel.SYSTEM);
    assertThat(why.cascade()).isTrue();
    assertThat(why.cascadeFrom()).isEqualTo(ConfigLevel.ENTITY);
    assertThat(why.disabledByEntity() || why.disabledByResource()).isFalse();
    assertThat(why.ancestors())
        .containsExactly(
            new LimitExplanation.Ancestor("team", true, true),
            new LimitExplanation.Ancestor("org", false, false));
    assertThat(why.versions())
        .isEqualTo(Objects.requireNonNull(world.terms("e", "r")).stamp().versions());
  }

  @Test
  void explain_nothingStored_saysSo() {
    LimitExplanation why = limits.explain("nobody", "nothing");
    assertThat(why.level()).isNull();
    assertThat(why.registered()).isFalse();
    assertThat(why.limits()).isEmpty();
    assertThat(why.levels()).isEmpty();
    assertThat(why.cascade()).isFalse();
    assertThat(why.cascadeFrom()).isEqualTo(null);
    assertThat(why.ancestors()).isEmpty();
    assertThat(why.versions()).isEqualTo(RecordVersions.NONE);
  }

  @Test
  void explain_switches_sayWhereTheyComeFrom() {
    world.ns.entities().create(NewEntity.of("e"));
    world.ns.entities().setDisabled("e", true);
    world.ns.limits().setDisabled("r", true);
    assertThat(limits.explain("e", "r"))
        .extracting(LimitExplanation::disabledByEntity, LimitExplanation::disabledByResource)
        .containsExactly(true, true);
    assertThat(limits.explain("e", "other"))
        .extracting(LimitExplanation::disabledByEntity, LimitExplanation::disabledByResource)
        .containsExactly(true, false);
    assertThat(limits.explain("f", "r"))
        .extracting(LimitExplanation::disabledByEntity, LimitExplanation::disabledByResource)
        .containsExactly(false, true);
  }

  @Test
  void targets_badNames_areMistakes() {
    for (String name : Set.of("", "a#b", "_default_", "wcu/#", "a\u0000")) {
      assertThatThrownBy(() -> LimitTarget.resource(name))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> LimitTarget.entity(name))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> LimitTarget.entityResource("e", name))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> limits.explain("e", name))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> limits.ofEntities(name, 10, null))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> limits.ofEntity(name, 10, null))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new LimitTarget(ConfigLevel.CALL, "", ""))
        .hasMessage("level CALL is not stored");
  }
}
