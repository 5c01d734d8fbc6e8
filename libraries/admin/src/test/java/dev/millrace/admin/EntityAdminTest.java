package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.admin.ChangeRefusedException.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class EntityAdminTest {
  private final World world = new World();
  private final EntityAdmin entities = world.ns.entities();

  private void chain(int levels) {
    entities.create(NewEntity.of("e1"));
    for (int level = 2; level <= levels; level++) {
      entities.create(NewEntity.of("e" + level).under("e" + (level - 1)));
    }
  }

  private List<String> ids(List<Entity> list) {
    return list.stream().map(Entity::id).toList();
  }

  @Test
  void create_withEverything_isFoundAsItWasGiven() {
    entities.create(NewEntity.of("org").named("The Org"));
    Entity created =
        entities.create(
            NewEntity.of("key-42")
                .named("A key")
                .under("org")
                .cascading()
                .with(Map.of("plan", "gold")));

    assertThat(created)
        .isEqualTo(
            new Entity(
                "key-42",
                "A key",
                "org",
                true,
                false,
                Map.of("plan", "gold"),
                0,
                Instant.ofEpochMilli(World.START_MS),
                1));
    assertThat(entities.get("key-42")).contains(created);
    assertThat(entities.get("org").orElseThrow().children()).isEqualTo(1);
    assertThat(entities.get("nobody")).isEmpty();
    assertThat(world.actions("key-42")).containsExactly("entity.create");
  }

  @Test
  void create_takenId_isRefused() {
    entities.create(NewEntity.of("a"));
    RefusalAssertion.because(
        world,
        Reason.ENTITY_EXISTS,
        "exists already {entity=a}",
        () -> entities.create(NewEntity.of("a").named("another")));
    assertThat(entities.get("a").orElseThrow().name()).isEmpty();
  }

  @Test
  void create_unknownParent_isRefused() {
    RefusalAssertion.because(
        world,
        Reason.UNKNOWN_PARENT,
        "the parent does not exist: create it first {entity=a, parent=b}",
        () -> entities.create(NewEntity.of("a").under("b")));
    RefusalAssertion.because(
        world, Reason.CYCLE, "own ancestor", () -> entities.create(NewEntity.of("a").under("a")));
  }

  @Test
  void create_ninthLevel_isRefused() {
    chain(8);
    assertThat(ids(entities.ancestors("e8")))
        .containsExactly("e7", "e6", "e5", "e4", "e3", "e2", "e1");
    RefusalAssertion.because(
        world,
        Reason.TOO_DEEP,
        "{entity=e9, levels=9, most=8}",
        () -> entities.create(NewEntity.of("e9").under("e8")));
  }

  @Test
  void create_badNamesAndSizes_areMistakes() {
    for (String id : List.of("", "a#b", "_a", "$SYSTEM", "a b", "a\n", "x".repeat(257))) {
      assertThatThrownBy(() -> NewEntity.of(id)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> entities.get(id)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> entities.move("a", id)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> NewEntity.of("a").named("n".repeat(257)))
        .hasMessage("name has 257 characters, at most 256 allowed");
    assertThatThrownBy(() -> NewEntity.of("a").with(Map.of("", "v")))
        .hasMessage("metadata key '' must have from 1 to 64 characters");
    assertThatThrownBy(() -> NewEntity.of("a").with(Map.of("k", "v".repeat(1_025))))
        .hasMessage("metadata 'k' has 1025 characters, at most 1024 allowed");
    assertThat(world.everything()).isEmpty();
  }

  @Test
  void update_someFields_leavesTheOthers() {
    entities.create(NewEntity.of("a").named("A").with(Map.of("k", "v")));

    ChangeResult renamed = entities.update("a", EntityUpdate.none().name("B"));
    ChangeResult cascading = entities.update("a", EntityUpdate.none().cascade(true));
    ChangeResult nothing = entities.update("a", EntityUpdate.none().name("B"));

    assertThat(renamed).isEqualTo(new ChangeResult(true, null));
    assertThat(cascading.changed()).isTrue();
    assertThat(Objects.requireNonNull(cascading.buckets()).isDone()).isTrue();
    assertThat(nothing).isEqualTo(new ChangeResult(false, null));
    Entity now = entities.get("a").orElseThrow();
    assertThat(now.name()).isEqualTo("B");
    assertThat(now.cascade()).isTrue();
    assertThat(now.metadata()).isEqualTo(Map.of("k", "v"));
    assertThat(now.version()).isEqualTo(3);
    assertThat(world.actions("a"))
        .containsExactly("entity.create", "entity.update", "entity.update");
    RefusalAssertion.because(
        world,
        Reason.UNKNOWN_ENTITY,
        "{entity=b}",
        () -> entities.update("b", EntityUpdate.none().name("B")));
  }

  @Test
  void move_toAnotherParent_countsBothAndFollows() {
    entities.create(NewEntity.of("old"));
    entities.create(NewEntity.of("new"));
    entities.create(NewEntity.of("a").under("old"));
    entities.create(NewEntity.of("b").under("a"));

    assertThat(entities.move("a", "new").changed()).isTrue();

    assertThat(ids(entities.ancestors("b"))).containsExactly("a", "new");
    assertThat(entities.get("old").orElseThrow().children()).isZero();
    assertThat(entities.get("new").orElseThrow().children()).isEqualTo(1);
    assertThat(ids(entities.children("old", 10, null).items())).isEmpty();
    assertThat(ids(entities.children("new", 10, null).items())).containsExactly("a");

    assertThat(entities.move("a", "new").changed()).isFalse();
    assertThat(entities.moveToTop("a").changed()).isTrue();
    assertThat(entities.ancestors("a")).isEmpty();
    assertThat(entities.get("new").orElseThrow().children()).isZero();
    assertThat(ids(entities.roots(10, null).items())).containsExactly("a", "new", "old");
    assertThat(world.actions("a")).containsExactly("entity.create", "entity.move", "entity.move");
  }

  @Test
  void move_underItselfOrItsDescendant_isRefused() {
    chain(3);
    RefusalAssertion.because(
        world, Reason.CYCLE, "{entity=e1, parent=e1}", () -> entities.move("e1", "e1"));
    RefusalAssertion.because(
        world, Reason.CYCLE, "{entity=e1, parent=e2}", () -> entities.move("e1", "e2"));
    RefusalAssertion.because(
        world, Reason.CYCLE, "{entity=e1, parent=e3}", () -> entities.move("e1", "e3"));
  }

  @Test
  void move_unknownEntityOrParent_isRefused() {
    chain(1);
    RefusalAssertion.because(
        world, Reason.UNKNOWN_ENTITY, "{entity=b}", () -> entities.move("b", "e1"));
    RefusalAssertion.because(
        world, Reason.UNKNOWN_PARENT, "{entity=e1, parent=b}", () -> entities.move("e1", "b"));
  }

  @Test
  void move_treeThatWouldBecomeTooDeep_isRefused() {
    chain(5);
    entities.create(NewEntity.of("t1"));
    entities.create(NewEntity.of("t2").under("t1"));
    entities.create(NewEntity.of("t3").under("t2"));
    entities.create(NewEntity.of("t4").under("t3"));

    RefusalAssertion.because(
        world,
        Reason.TOO_DEEP,
        "{entity=t1, parent=e5, levelsAbove=5, levelsBelow=at least 4, most=8}",
        () -> entities.move("t1", "e5"));

    assertThat(entities.move("t2", "e5").changed()).isTrue();
    assertThat(entities.ancestors("t4")).hasSize(7);
    assertThat(entities.get("t1").orElseThrow().children()).isZero();
  }

  @Test
  void move_noDeeperThanBefore_doesNotLookBelow() {
    chain(2);
    entities.create(NewEntity.of("other"));
    List<NewEntity> many = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      many.add(NewEntity.of("leaf-" + i).under("e2"));
    }
    entities.createAll(many);
    world.recording.clear();

    assertThat(entities.move("e2", "other").changed()).isTrue();

    assertThat(world.recording.roundTrips()).isLessThan(10);
  }

  @Test
  void children_manyPages_listsEachOnce() {
    entities.create(NewEntity.of("p"));
    List<NewEntity> many = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      many.add(NewEntity.of("c-" + i).under("p"));
    }
    assertThat(entities.createAll(many)).isEqualTo(new BulkResult(250, List.of()));

    List<String> seen = new ArrayList<>();
    String cursor = null;
    do {
      Page<Entity> page = entities.children("p", 30, cursor);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(30);
      seen.addAll(ids(page.items()));
      cursor = page.cursor();
    } while (cursor != null);

    assertThat(seen).hasSize(250).doesNotHaveDuplicates();
    assertThatThrownBy(() -> entities.children("p", 101, null))
        .hasMessage("pageSize 101 must be from 1 to 100");
  }

  @Test
  void as_anotherActor_standsInTheEvent() {
    world.ns.as("alice").entities().create(NewEntity.of("a"));
    AuditEntry event = world.ns.audit().ofEntity("a", AuditQuery.newest(1)).items().get(0);
    assertThat(event.actor()).isEqualTo("alice");
  }
}
