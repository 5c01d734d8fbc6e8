package dev.millrace.manifest.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import dev.millrace.admin.Entity;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.StoredLimits;
import dev.millrace.admin.SystemSettings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ManifestDiffTest {
  private static final LimitTarget TARGET = LimitTarget.entityResource("key", "gpt");
  private static final LimitSet TEN = LimitSet.of(Limit.perMinute("rpm", 10));
  private static final LimitSet TWENTY = LimitSet.of(Limit.perMinute("rpm", 20));
  private final ManifestDiff differ = new ManifestDiff("m");

  private static StoredLimits stored(@Nullable LimitSet limits, @Nullable LimitSet shared) {
    return new StoredLimits(TARGET, limits, null, false, 1, shared);
  }

  private List<String> level(LevelSpec wanted, @Nullable StoredLimits live, @Nullable String mark) {
    return differ.level(TARGET, wanted, live, mark).stream().map(ManifestChange::toString).toList();
  }

  private static Entity entity(Map<String, String> metadata) {
    return new Entity("key", "Key", "acme", true, false, metadata, 0, Instant.EPOCH, 1);
  }

  private static EntitySpec spec(@Nullable String parent, @Nullable Map<String, String> metadata) {
    return new EntitySpec(
        "key",
        true,
        "Key",
        parent,
        true,
        null,
        metadata == null ? null : new TreeMap<>(metadata),
        LevelSpec.NOTHING,
        new TreeMap<>());
  }

  @Test
  void level_sameAsWanted_isNoChange() {
    assertThat(level(LevelSpec.of(TEN), stored(TEN, null), null)).isEmpty();
    assertThat(level(LevelSpec.NOTHING, stored(TEN, null), null)).isEmpty();
    assertThat(level(LevelSpec.NOTHING, null, null)).isEmpty();
  }

  @Test
  void level_otherThanWanted_isOneChange() {
    assertThat(level(LevelSpec.of(TEN), null, null))
        .containsExactly("+ limits of key on gpt: [rpm:10/min]");
    assertThat(level(LevelSpec.of(TEN), stored(TWENTY, null), null))
        .containsExactly("~ limits of key on gpt: [rpm:20/min] → [rpm:10/min]");
  }

  @Test
  void level_otherThanWhatTheManifestSaidAlready_isDrift() {
    String said = ManagedMarks.value(LevelSpec.of(TEN));
    String saidOther = ManagedMarks.value(LevelSpec.of(TWENTY));

    assertThat(level(LevelSpec.of(TEN), stored(TWENTY, null), said))
        .containsExactly("~ limits of key on gpt: [rpm:20/min] → [rpm:10/min]  (changed by hand)");
    assertThat(level(LevelSpec.of(TEN), null, said)).singleElement().asString().contains("by hand");
    assertThat(level(LevelSpec.of(TEN), stored(TWENTY, null), saidOther))
        .singleElement()
        .asString()
        .doesNotContain("by hand");
  }

  @Test
  void level_noLongerNamed_isRemovedOnlyIfItWasManaged() {
    String said = ManagedMarks.value(LevelSpec.of(TEN));
    String saidCascade = ManagedMarks.value(new LevelSpec(null, null, true, null));

    assertThat(level(LevelSpec.NOTHING, stored(TEN, null), said))
        .containsExactly("- limits of key on gpt: [rpm:10/min]");
    assertThat(level(LevelSpec.NOTHING, stored(TEN, null), saidCascade)).isEmpty();
    assertThat(
            level(
                LevelSpec.NOTHING,
                new StoredLimits(TARGET, TEN, true, false, 1, null),
                saidCascade))
        .containsExactly("- cascade of key on gpt: true");
  }

  @Test
  void level_shared_comparesTheWholeAndNotTheParts() {
    LimitSet whole = LimitSet.of(Limit.perMinute("tpm", 600));
    LimitSet part = LimitSet.of(Limit.perMinute("tpm", 123), Limit.perMinute("rpm", 10));
    LevelSpec wanted = new LevelSpec(TEN, whole, null, null);

    assertThat(level(wanted, stored(part, whole), null)).isEmpty();
    assertThat(level(wanted, stored(TEN, null), null))
        .containsExactly(
            "~ limits of key on gpt: [rpm:10/min] → [tpm:600/min] of all regions and [rpm:10/min]");
    assertThat(level(LevelSpec.NOTHING, stored(part, whole), ManagedMarks.value(wanted)))
        .singleElement()
        .asString()
        .startsWith("! limits of key on gpt: limits that regions share cannot be taken back");
  }

  @Test
  void system_eachSettingForItself() {
    SystemSpec wanted = new SystemSpec(TEN, OnUnavailable.ALLOW, 30);

    assertThat(differ.system(wanted, null, new SystemSettings(null, 90), null))
        .extracting(ManifestChange::toString)
        .containsExactly(
            "+ limits of the system: [rpm:10/min]",
            "+ system on unavailable: ALLOW",
            "~ system audit retention days: 90 → 30");
    assertThat(
            differ.system(
                new SystemSpec(null, null, null), null, new SystemSettings(null, 90), null))
        .isEmpty();
  }

  @Test
  void entity_missing_isCreatedWithAMark() {
    assertThat(differ.entity(spec("acme", Map.of("a", "b")), null, null))
        .singleElement()
        .satisfies(
            change -> {
              assertThat(change).hasToString("+ entity key: below acme, cascades");
              assertThat(((ConfigAction.Create) change.action()).entity().metadata())
                  .containsExactlyInAnyOrderEntriesOf(Map.of("a", "b", ManifestDiff.MADE_BY, "m"));
            });
  }

  @Test
  void entity_otherThanWanted_isUpdatedAndMoved() {
    Entity live = entity(Map.of("a", "b", ManifestDiff.MADE_BY, "m"));

    assertThat(differ.entity(spec("acme", null), live, null)).isEmpty();
    assertThat(differ.entity(spec("acme", Map.of("a", "b")), live, null)).isEmpty();
    assertThat(differ.entity(spec(null, Map.of("c", "d")), live, null))
        .extracting(ManifestChange::toString)
        .containsExactly(
            "~ entity key: 'Key', cascades, {a=b} → 'Key', cascades, {c=d}",
            "~ entity key: below acme → at the top");
    assertThat(
            ((ConfigAction.Update)
                    differ.entity(spec("acme", Map.of()), live, null).get(0).action())
                .update()
                .metadata())
        .as("our own mark stays")
        .isEqualTo(Map.of(ManifestDiff.MADE_BY, "m"));
  }

  @Test
  void removed_onlyIfThisManifestMadeIt() {
    assertThat(differ.removed("key", entity(Map.of(ManifestDiff.MADE_BY, "m")))).hasSize(1);
    assertThat(differ.removed("key", entity(Map.of(ManifestDiff.MADE_BY, "other")))).isEmpty();
    assertThat(differ.removed("key", entity(Map.of()))).isEmpty();
    assertThat(differ.removed("key", null)).isEmpty();
  }

  @Test
  void marks_keysAreTakenApartAgain() {
    for (LimitTarget target :
        List.of(
            LimitTarget.system(),
            LimitTarget.resource("a/b.c"),
            LimitTarget.entity("k:1@x"),
            LimitTarget.entityResource("k:1@x", "a/b.c"))) {
      assertThat(ManagedMarks.target(ManagedMarks.level(target))).isEqualTo(target);
    }
    assertThat(ManagedMarks.page(ManagedMarks.entity("k")))
        .isEqualTo(ManagedMarks.page(ManagedMarks.level(LimitTarget.entity("k"))))
        .isEqualTo(ManagedMarks.page(ManagedMarks.level(LimitTarget.entityResource("k", "r"))));
  }
}
