package dev.millrace.manifest.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.Entity;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NewEntity;
import dev.millrace.admin.StoredLimits;
import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.NamespaceManifest;
import dev.millrace.manifest.World;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.RegionOperations;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ManifestApplierTest {
  private static final String MANIFEST =
      """
      version: 1
      system: {limits: [rpm:1000], onUnavailable: block}
      resources:
        gpt: {limits: [rpm:100, tpm:10000]}
      entities:
        key: {parent: team, cascade: true, resources: {gpt: {limits: [rpm:10]}}}
        team: {parent: acme, limits: [rpm:50]}
        acme: {name: Acme}
      """;

  private final World world = new World();

  private @Nullable LimitSet limits(LimitTarget target) {
    return world.ns.limits().get(target).map(StoredLimits::limits).orElse(null);
  }

  private Entity entity(String id) {
    return Objects.requireNonNull(world.ns.entities().get(id).orElse(null), id);
  }

  private static LimitSet rpm(long rate) {
    return LimitSet.of(Limit.perMinute("rpm", rate));
  }

  @Test
  void apply_makesItSo_childrenBelowParentsWhateverTheirOrder() {
    NamespaceManifest.Result result = world.apply(MANIFEST);

    assertThat(result.refusals()).isEmpty();
    assertThat(result.counts().added()).isEqualTo(8);
    assertThat(result.counts().entities()).isEqualTo(3);
    assertThat(entity("key").parentId()).isEqualTo("team");
    assertThat(entity("team").parentId()).isEqualTo("acme");
    assertThat(limits(LimitTarget.entityResource("key", "gpt"))).isEqualTo(rpm(10));
    assertThat(limits(LimitTarget.entity("team"))).isEqualTo(rpm(50));
    assertThat(limits(LimitTarget.system())).isEqualTo(rpm(1_000));
    assertThat(world.audited())
        .contains("tester manifest.apply", "tester limits.set", "tester entity.create");
    assertThat(world.plan(MANIFEST)).isEmpty();
  }

  @Test
  void apply_again_writesNothing() {
    world.apply(MANIFEST);
    world.writes.set(0);

    NamespaceManifest.Result again = world.apply(MANIFEST);

    assertThat(again.counts().all()).isZero();
    assertThat(world.writes).hasValue(0);
  }

  @Test
  void drift_byHand_isShownAndMended() {
    world.apply(MANIFEST);
    world.ns.limits().set(LimitTarget.entityResource("key", "gpt"), rpm(999));
    world.ns.limits().delete(LimitTarget.resource("gpt"));
    world.ns.entities().moveToTop("key");

    assertThat(world.plan(MANIFEST))
        .containsExactlyInAnyOrder(
            "+ limits of resource gpt: [rpm:100/min, tpm:10000/min]  (changed by hand)",
            "~ entity key: at the top → below team  (changed by hand)",
            "~ limits of key on gpt: [rpm:999/min] → [rpm:10/min]  (changed by hand)");
    assertThat(world.apply(MANIFEST).counts().drifted()).isEqualTo(3);
    assertThat(world.plan(MANIFEST)).isEmpty();
    assertThat(limits(LimitTarget.entityResource("key", "gpt"))).isEqualTo(rpm(10));
  }

  @Test
  void removedFromTheManifest_goes_handMadeStays() {
    world.ns.entities().create(NewEntity.of("byhand"));
    world.ns.limits().set(LimitTarget.entity("byhand"), rpm(3));
    world.ns.limits().set(LimitTarget.resource("byhand"), rpm(4));
    String adopting = MANIFEST + "  byhand: {resources: {gpt: {limits: [rpm:5]}}}\n";
    world.apply(adopting);
    assertThat(entity("byhand").metadata()).isEmpty();

    String smaller = "version: 1\nentities:\n  acme: {name: Acme}\n";
    assertThat(world.plan(smaller))
        .containsExactlyInAnyOrder(
            "- limits of the system: [rpm:1000/min]",
            "- limits of resource gpt: [rpm:100/min, tpm:10000/min]",
            "- entity key: with its limits, usage and buckets",
            "- entity team: with its limits, usage and buckets",
            "- limits of byhand on gpt: [rpm:5/min]");
    NamespaceManifest.Result result = world.apply(smaller);

    assertThat(result.refusals()).isEmpty();
    assertThat(world.ns.entities().get("key")).isEmpty();
    assertThat(world.ns.entities().get("team")).isEmpty();
    assertThat(entity("acme").children()).isZero();
    assertThat(entity("byhand").version()).isPositive();
    assertThat(limits(LimitTarget.entity("byhand"))).isEqualTo(rpm(3));
    assertThat(limits(LimitTarget.resource("byhand"))).isEqualTo(rpm(4));
    assertThat(limits(LimitTarget.entityResource("byhand", "gpt"))).isNull();
    world.writes.set(0);
    world.apply(smaller);
    assertThat(world.writes).hasValue(0);
  }

  @Test
  void limitsOfOneResource_noLongerNamed_areRemoved() {
    world.apply(
        "version: 1\nentities: {a: {resources: {r: {limits: [rpm:1]}, s: {limits: [rpm:2]}}}}");

    world.apply("version: 1\nentities: {a: {resources: {s: {limits: [rpm:2]}}}}");

    assertThat(limits(LimitTarget.entityResource("a", "r"))).isNull();
    assertThat(limits(LimitTarget.entityResource("a", "s"))).isEqualTo(rpm(2));
  }

  @Test
  void twoManifests_doNotTouchEachOther() {
    world.apply("version: 1\nname: one\nentities: {a: {limits: [rpm:1]}}");
    world.apply("version: 1\nname: two\nentities: {b: {limits: [rpm:2]}}");

    world.apply("version: 1\nname: two\nentities: {}");

    assertThat(world.ns.entities().get("b")).isEmpty();
    assertThat(entity("a").id()).isEqualTo("a");
  }

  @Test
  void refused_isToldAndTheRestIsDone() {
    world.apply("version: 1\nentities: {a: {}, b: {limits: [rpm:1]}}");
    world.ns.entities().create(NewEntity.of("child").under("a"));

    NamespaceManifest.Result result = world.apply("version: 1\nentities: {c: {}}");

    assertThat(result.refused()).isEqualTo(1);
    assertThat(result.refusals()).singleElement().asString().contains("entity a", "children");
    assertThat(world.ns.entities().get("b")).isEmpty();
    assertThat(entity("c").id()).isEqualTo("c");
    world.ns.entities().delete("child");
    assertThat(world.apply("version: 1\nentities: {c: {}}").refusals())
        .as("what was refused is not forgotten")
        .isEmpty();
    assertThat(world.ns.entities().get("a")).isEmpty();
  }

  @Test
  void parentThatIsNowhere_isRefusedBeforeAnythingIsWritten() {
    String manifest = "version: 1\nentities:\n  a: {parent: nobody}\n  b: {}\n";

    assertThatThrownBy(() -> world.plan(manifest))
        .isInstanceOf(ManifestException.class)
        .hasMessage(
            "line 3, column 1: entities.a.parent 'nobody': is neither in the manifest nor in the"
                + " table");
    world.ns.entities().create(NewEntity.of("nobody"));
    assertThat(world.apply(manifest).refusals()).isEmpty();
    assertThat(entity("a").parentId()).isEqualTo("nobody");
  }

  @Test
  void globalLimits_areSharedOnce() {
    RegionOperations regions = new RegionOperations(world.ns, AllocationPolicy.DEFAULT);
    String manifest =
        "version: 1\nresources: {g: {limits: [rpm:5, {name: tpm, rate: 600, scope: global}]}}";
    assertThat(world.apply(manifest).refusals())
        .as("a namespace that shares nothing")
        .singleElement()
        .asString()
        .contains("limits of resource g", "declare its region first");
    regions.found("eu", List.of("eu", "us"));

    assertThat(world.apply(manifest).refusals()).isEmpty();

    StoredLimits stored = world.ns.limits().get(LimitTarget.resource("g")).orElseThrow();
    assertThat(stored.shared()).isEqualTo(LimitSet.of(Limit.perMinute("tpm", 600)));
    assertThat(Objects.requireNonNull(stored.limits()).names()).containsExactly("rpm", "tpm");
    world.writes.set(0);
    assertThat(world.apply(manifest).counts().all()).isZero();
    assertThat(world.writes).hasValue(0);
  }

  @Test
  void switches_areOnlyThrownWhenTheyAreNamed() {
    world.apply(
        "version: 1\nresources: {r: {disabled: true}}\nentities: {a: {disabled: true}, b: {}}");
    assertThat(entity("a").disabled()).isTrue();
    world.ns.entities().setDisabled("b", true);

    world.apply(
        "version: 1\nresources: {r: {disabled: false}}\nentities: {a: {disabled: false}, b: {}}");

    assertThat(entity("a").disabled()).isFalse();
    assertThat(entity("b").disabled()).as("thrown in need").isTrue();
  }

  @Test
  void somebodyElseApplies_isNoticed() {
    world.apply(MANIFEST);
    var managed = world.ns.managed("default");
    var page = managed.pages().get(0);
    managed.save(page, new java.util.TreeMap<>(java.util.Map.of("x", "y")));

    assertThatThrownBy(() -> managed.save(page, new java.util.TreeMap<>()))
        .hasMessageContaining("another process applies the same manifest");
  }
}
