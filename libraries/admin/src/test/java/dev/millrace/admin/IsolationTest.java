package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.LimitSet;
import dev.millrace.MillraceException;
import dev.millrace.OnUnavailable;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.internal.generator.Gen;
import dev.millrace.testkit.internal.generator.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whoever administers one namespace reaches nothing of another, whatever names are used. */
class IsolationTest {
  private final World world = new World();
  private final String victim = world.admin.namespaces().register("victim").id();
  private final NamespaceAdmin owner = world.admin.in("victim");
  private final List<String> cursors = new ArrayList<>();

  private void given() {
    owner.entities().create(NewEntity.of("org").named("secret"));
    for (int i = 0; i < 5; i++) {
      owner.entities().create(NewEntity.of("e" + i).under("org"));
      owner.limits().set(LimitTarget.entityResource("e" + i, "r"), World.RPM_10);
      world.create(BucketKey.first(victim, "e" + i, "r"), 1, World.RPM_10, ConfigStamp.CALL);
    }
    owner.limits().set(LimitTarget.entity("e0"), World.RPM_10);
    owner.limits().set(LimitTarget.resource("r"), World.RPM_10);
    owner.limits().set(LimitTarget.system(), World.RPM_10);
    owner.buckets().reset("e0", "r", "op-1");
    remember(owner.entities().roots(1, null).cursor());
    remember(owner.entities().children("org", 1, null).cursor());
    remember(owner.limits().ofEntities("r", 1, null).cursor());
    remember(owner.limits().ofResources(1, null).cursor());
    remember(owner.limits().ofEntity("e0", 1, null).cursor());
    remember(owner.audit().all(AuditQuery.newest(1)).cursor());
    remember(owner.audit().ofEntity("e0", AuditQuery.newest(1)).cursor());
    remember(owner.buckets().ofResource("r", 1, null).cursor());
    remember(owner.jobs().unfinished(1, null).cursor());
  }

  private void remember(@Nullable String cursor) {
    if (cursor != null) {
      cursors.add(cursor);
    }
  }

  /** Names that would reach somebody else if they were only put together. */
  private List<String> hostile() {
    return List.of(
        "org",
        "e0",
        "r",
        "../" + victim,
        victim,
        victim + "/ENTITY#e0",
        victim + "/entity e0",
        "x/" + victim,
        "/" + victim + "/",
        "e0#" + victim,
        "e0 r 0",
        "e0\u0000",
        "e0\n",
        "*",
        "%",
        "_",
        "_default_",
        "$SYSTEM",
        "$RESOURCE:r",
        "$NAMESPACE:victim",
        "entity:e0",
        "op:op-1",
        "");
  }

  private static final List<BiConsumer<NamespaceAdmin, String>> ATTACKS =
      List.of(
          (ns, name) -> ns.entities().get(name),
          (ns, name) -> ns.entities().create(NewEntity.of(name)),
          (ns, name) -> ns.entities().create(NewEntity.of("mine-" + name).under(name)),
          (ns, name) -> ns.entities().createAll(List.of(NewEntity.of(name))),
          (ns, name) -> ns.entities().update(name, EntityUpdate.none().name("changed")),
          (ns, name) -> ns.entities().move(name, "org"),
          (ns, name) -> ns.entities().move("mine", name),
          (ns, name) -> ns.entities().moveToTop(name),
          (ns, name) -> ns.entities().ancestors(name),
          (ns, name) -> ns.entities().children(name, 10, null),
          (ns, name) -> ns.limits().set(LimitTarget.entityResource(name, "r"), World.RPM_100),
          (ns, name) -> ns.limits().set(LimitTarget.entityResource("e0", name), World.RPM_100),
          (ns, name) -> ns.limits().set(LimitTarget.entity(name), World.RPM_100),
          (ns, name) -> ns.limits().set(LimitTarget.resource(name), World.RPM_100),
          (ns, name) -> ns.limits().set(LimitTarget.system(), World.RPM_100),
          (ns, name) -> ns.limits().delete(LimitTarget.entityResource(name, "r")),
          (ns, name) -> ns.limits().delete(LimitTarget.resource(name)),
          (ns, name) ->
              ns.limits().setCascade(LimitTarget.resource(name), true, ProgressListener.NONE),
          (ns, name) -> ns.limits().setOnUnavailable(OnUnavailable.ALLOW),
          (ns, name) -> ns.limits().explain(name, "r"),
          (ns, name) -> ns.limits().explain("e0", name),
          (ns, name) -> ns.limits().ofEntity(name, 10, null),
          (ns, name) -> ns.limits().ofEntities(name, 10, null),
          (ns, name) -> ns.entities().setDisabled(name, true),
          (ns, name) -> ns.limits().setDisabled(name, true),
          (ns, name) -> ns.buckets().get(name, "r"),
          (ns, name) -> ns.buckets().reset(name, "r", "op-2"),
          (ns, name) -> ns.buckets().reset("e0", name, "op-3"),
          (ns, name) -> ns.buckets().reset("e0", "r", name),
          (ns, name) -> ns.buckets().topUp(name, "r", Map.of("rpm", 5L), "op-4"),
          (ns, name) -> ns.buckets().resize(name, "r", 2),
          (ns, name) -> ns.buckets().resize("e0", name, 2),
          (ns, name) -> ns.buckets().capacity(name, (page, totals) -> {}),
          (ns, name) -> ns.audit().ofEntity(name, AuditQuery.newest(10)),
          (ns, name) -> ns.audit().ofResource(name, AuditQuery.newest(10)),
          (ns, name) -> ns.jobs().get(name),
          (ns, name) -> ns.jobs().resume(name, ProgressListener.NONE),
          (ns, name) -> ns.jobs().resumeAll(ProgressListener.NONE),
          (ns, name) -> ns.entities().delete(name, /* forgiveDebt= */ true, ProgressListener.NONE));

  @Test
  void everyCall_hostileNames_reachNothingOfAnotherNamespace() {
    given();
    world.admin.namespaces().register("attacker");
    NamespaceAdmin attacker = world.admin.in("attacker");
    List<ListEntry.Item> before = itemsOfVictim();
    Set<StoreReply> states = statesOfVictim();
    world.recording.clear();

    for (String name : hostile()) {
      for (BiConsumer<NamespaceAdmin, String> attack : ATTACKS) {
        attempt(attack, attacker, name);
      }
    }

    assertUntouched(before, states);
  }

  @Test
  void everyList_cursorsOfAnotherNamespace_areRefusedOrShowNothingOfIt() {
    given();
    world.admin.namespaces().register("attacker");
    NamespaceAdmin attacker = world.admin.in("attacker");
    assertThat(cursors).hasSizeGreaterThan(5);
    List<ListEntry.Item> before = itemsOfVictim();
    Set<StoreReply> states = statesOfVictim();
    world.recording.clear();

    for (String cursor : cursors) {
      attempt((ns, c) -> ns.entities().roots(10, c), attacker, cursor);
      attempt((ns, c) -> ns.entities().children("org", 10, c), attacker, cursor);
      attempt((ns, c) -> ns.limits().ofEntities("r", 10, c), attacker, cursor);
      attempt((ns, c) -> ns.limits().ofEntities(10, c), attacker, cursor);
      attempt((ns, c) -> ns.limits().ofResources(10, c), attacker, cursor);
      attempt((ns, c) -> ns.limits().ofEntity("e0", 10, c), attacker, cursor);
      attempt((ns, c) -> ns.buckets().ofResource("r", 10, c), attacker, cursor);
      attempt((ns, c) -> ns.audit().all(AuditQuery.newest(10).after(c)), attacker, cursor);
      attempt(
          (ns, c) -> ns.audit().ofEntity("e0", AuditQuery.newest(10).after(c)), attacker, cursor);
      attempt((ns, c) -> ns.jobs().unfinished(10, c), attacker, cursor);
    }

    assertUntouched(before, states);
  }

  @Test
  void everyCall_randomNames_reachNothingOfAnotherNamespace() {
    given();
    world.admin.namespaces().register("attacker");
    NamespaceAdmin attacker = world.admin.in("attacker");
    List<ListEntry.Item> before = itemsOfVictim();
    Set<StoreReply> states = statesOfVictim();
    world.recording.clear();

    Seeds.forEach(
        200,
        (random, seed) -> {
          String name = randomName(random);
          attempt(Gen.oneOf(random, ATTACKS), attacker, name);
        });

    assertUntouched(before, states);
  }

  private String randomName(RandomGenerator random) {
    String piece = Gen.oneOf(random, hostile());
    String other = Gen.oneOf(random, hostile());
    return Gen.oneIn(random, 2) ? piece + other : piece + Gen.oneOf(random, List.of("#", "/", " "));
  }

  private static void attempt(
      BiConsumer<NamespaceAdmin, String> attack, NamespaceAdmin attacker, String name) {
    try {
      attack.accept(attacker, name);
    } catch (IllegalArgumentException | MillraceException e) {
      // Refused: as good as reaching nothing.
    }
  }

  private List<ListEntry.Item> itemsOfVictim() {
    return world.memory.items().stream().filter(item -> item.namespace().equals(victim)).toList();
  }

  private Set<StoreReply> statesOfVictim() {
    StoreCall read =
        new StoreCall.ReadAll(
            List.of(
                BucketKey.first(victim, "e0", "r"),
                BucketKey.first(victim, "e1", "r"),
                BucketKey.first(victim, "e4", "r")));
    return Set.of(world.memory.execute(read, 1_000));
  }

  /** Nothing changed, and no answer of the store had anything of the victim in it. */
  private void assertUntouched(List<ListEntry.Item> before, Set<StoreReply> states) {
    // An attacker may well use the victim's id as a name; as a namespace it must not come up.
    assertThat(world.recording.replies())
        .noneMatch(reply -> reply.toString().contains("namespace=" + victim))
        .noneMatch(reply -> reply.toString().contains("key=" + victim + "/"))
        .noneMatch(reply -> reply.toString().contains("secret"));
    assertThat(itemsOfVictim()).isEqualTo(before);
    assertThat(statesOfVictim()).isEqualTo(states);
    assertThat(owner.entities().get("org").orElseThrow().name()).isEqualTo("secret");
    LimitSet limits = owner.limits().get(LimitTarget.system()).orElseThrow().limits();
    assertThat(limits).isEqualTo(World.RPM_10);
    assertThat(owner.limits().settings()).isEqualTo(new SystemSettings(null, null));
  }
}
