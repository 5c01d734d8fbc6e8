package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.LimiterUnavailableException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The effects of two concurrent changes of the tree on each other. */
class EntityRacesTest {
  private final World world = new World();
  private final EntityAdmin entities = world.ns.entities();
  private final EntityAdmin others = world.another().in(World.NS).entities();

  private static boolean transactions(StoreCall call) {
    return call instanceof StoreCall.Transaction;
  }

  /** The transaction that puts an entity under another parent. */
  private static Predicate<StoreCall> moveOf(String entityId) {
    return call ->
        call instanceof StoreCall.Transaction transaction
            && transaction.changes().stream()
                .anyMatch(change -> change instanceof RecordChange.AddChildren)
            && transaction.changes().stream()
                .anyMatch(
                    change ->
                        change instanceof RecordChange.Put put
                            && put.key() instanceof RecordKey.Entity key
                            && key.entityId().equals(entityId));
  }

  private void create(String... ids) {
    for (String id : ids) {
      entities.create(NewEntity.of(id));
    }
  }

  private void chain(String prefix, int levels) {
    create(prefix + 1);
    for (int level = 2; level <= levels; level++) {
      entities.create(NewEntity.of(prefix + level).under(prefix + (level - 1)));
    }
  }

  @Test
  void move_eachUnderTheOther_theLaterIsRefused() {
    create("a", "b");
    world.store.once(EntityRacesTest::transactions, Fault.before(() -> others.move("b", "a")));

    assertThatThrownBy(() -> entities.move("a", "b"))
        .isInstanceOfSatisfying(
            ChangeRefusedException.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.CYCLE));

    assertThat(world.store.rulesLeft()).isZero();
    Trees.assertSound(world, List.of("a", "b"));
  }

  @Test
  void move_eachUnderTheOtherWhileHeld_onlyOneGetsThrough() {
    create("a", "b");
    world.store.once(
        moveOf("a"),
        Fault.before(
            () ->
                assertThatThrownBy(() -> others.move("b", "a"))
                    .isInstanceOf(LimiterUnavailableException.class)));

    assertThat(entities.move("a", "b").changed()).isTrue();

    Trees.assertSound(world, List.of("a", "b"));
  }

  @Test
  void move_notDeeperAndNewParentMovedBelowIt_theLaterIsRefused() {
    // Not deeper than before, so that nothing is held: the parent's version alone tells.
    create("x", "b");
    entities.create(NewEntity.of("a").under("x"));
    world.store.once(moveOf("a"), Fault.before(() -> others.move("b", "a")));

    assertThatThrownBy(() -> entities.move("a", "b")).hasMessageContaining("own ancestor");

    assertThat(world.store.rulesLeft()).isZero();
    Trees.assertSound(world, List.of("a", "b", "x"));
  }

  @Test
  void move_newAncestorMovedBelowIt_theLaterIsRefused() {
    chain("t", 3);
    create("a");
    world.store.once(EntityRacesTest::transactions, Fault.before(() -> others.move("t1", "a")));

    assertThatThrownBy(() -> entities.move("a", "t3")).hasMessageContaining("own ancestor");

    Trees.assertSound(world, List.of("a", "t1", "t2", "t3"));
  }

  @Test
  void move_notDeeperButOldAncestorMovedUpMeanwhile_looksAgain() {
    // t5 is at level 5 and would come to level 4. Meanwhile t4 above it goes to the top, so that
    // six levels can be hung below t5.
    chain("t", 5);
    chain("u", 3);
    List<String> all = new ArrayList<>(List.of("t1", "t2", "t3", "t4", "t5", "u1", "u2", "u3"));
    world.store.once(
        moveOf("t5"),
        Fault.before(
            () -> {
              others.moveToTop("t4");
              for (int level = 3; level <= 8; level++) {
                String parent = level == 3 ? "t5" : "v" + (level - 1);
                others.create(NewEntity.of("v" + level).under(parent));
                all.add("v" + level);
              }
            }));

    assertThatThrownBy(() -> entities.move("t5", "u3")).hasMessageContaining("too deep");

    assertThat(all).hasSize(14);
    Trees.assertSound(world, all);
  }

  @Test
  void create_parentMovedDeeperMeanwhile_isRefused() {
    chain("t", 7);
    create("p");
    world.store.once(EntityRacesTest::transactions, Fault.before(() -> others.move("p", "t7")));

    assertThatThrownBy(() -> entities.create(NewEntity.of("c").under("p")))
        .hasMessageContaining("{entity=c, levels=9, most=8}");

    Trees.assertSound(world, List.of("t1", "t2", "t3", "t4", "t5", "t6", "t7", "p", "c"));
  }

  @Test
  void create_belowATreeThatIsBeingMoved_waitsAndIsRefused() {
    chain("t", 7);
    create("p");
    world.store.once(
        moveOf("p"),
        Fault.before(
            () ->
                // It is held, so nobody can get below it any more.
                assertThatThrownBy(() -> others.create(NewEntity.of("c").under("p")))
                    .isInstanceOf(LimiterUnavailableException.class)
                    .hasMessageContaining(
                        "other writers changed the same records on every attempt")));

    assertThat(entities.move("p", "t7").changed()).isTrue();

    assertThat(world.store.rulesLeft()).isZero();
    assertThat(world.entity("c")).isNull();
    Trees.assertSound(world, List.of("t1", "t2", "t3", "t4", "t5", "t6", "t7", "p"));
  }

  @Test
  void create_holdOfADeadMover_isReleasedAfterAWhile() {
    chain("t", 7);
    create("p");
    world.store.once(moveOf("p"), Fault.raise(new IllegalStateException("killed")));
    world.store.once(EntityRacesTest::transactions, Fault.none());
    // The hold was made; the process died before it could let go.
    world.store.always(
        call ->
            call instanceof StoreCall.Transaction transaction
                && transaction.changes().get(0) instanceof RecordChange.Delete,
        Fault.raise(new IllegalStateException("dead")));
    assertThatThrownBy(() -> entities.move("p", "t7")).hasMessage("killed");
    world.store.heal();
    RecordKey hold = new RecordKey.Job(World.NS, "entity:p");
    assertThat(world.memory.record(hold)).isInstanceOf(JobRecord.class);
    assertThat(world.ns.jobs().resumeAll(ProgressListener.NONE)).isEmpty();

    world.clock.advance(Duration.ofSeconds(31));
    others.create(NewEntity.of("c").under("p"));

    assertThat(world.memory.record(hold)).isNull();
    Trees.assertSound(world, List.of("t1", "t2", "t3", "t4", "t5", "t6", "t7", "p", "c"));
  }

  @Test
  void move_holdWasTakenForDead_doesNotMove() {
    chain("t", 7);
    create("p");
    world.store.once(
        moveOf("p"),
        Fault.before(
            () -> {
              world.clock.advance(Duration.ofMinutes(1));
              others.create(NewEntity.of("c").under("p"));
            }));

    assertThatThrownBy(() -> entities.move("p", "t7")).hasMessageContaining("too deep");

    Trees.assertSound(world, List.of("t1", "t2", "t3", "t4", "t5", "t6", "t7", "p", "c"));
  }

  @Test
  void create_parentDeletedMeanwhile_isRefused() {
    create("p");
    world.store.once(EntityRacesTest::transactions, Fault.before(() -> others.delete("p")));

    assertThatThrownBy(() -> entities.create(NewEntity.of("c").under("p")))
        .hasMessageContaining("the parent does not exist");

    assertThat(world.entity("c")).isNull();
  }

  @Test
  void delete_childCreatedMeanwhile_isRefused() {
    create("p");
    world.store.once(
        EntityRacesTest::transactions,
        Fault.before(() -> others.create(NewEntity.of("c").under("p"))));

    assertThatThrownBy(() -> entities.delete("p")).hasMessageContaining("has children");

    Trees.assertSound(world, List.of("p", "c"));
  }

  @Test
  void update_changedMeanwhile_keepsBoth() {
    create("a");
    world.store.once(
        EntityRacesTest::transactions,
        Fault.before(() -> others.update("a", EntityUpdate.none().cascade(true))));

    entities.update("a", EntityUpdate.none().name("A"));

    Entity now = entities.get("a").orElseThrow();
    assertThat(now.name()).isEqualTo("A");
    assertThat(now.cascade()).isTrue();
  }

  @Test
  void update_alwaysTooLate_endsInAnError() {
    create("a");
    AtomicLong names = new AtomicLong();
    world.store.always(
        call -> call instanceof StoreCall.Lookup lookup && lookup.keys().size() == 1,
        Fault.after(
            () -> {
              EntityRecord record = world.entity("a");
              if (record != null) {
                world.memory.put(renamed(record, "n" + names.incrementAndGet()));
              }
            }));

    assertThatThrownBy(() -> entities.update("a", EntityUpdate.none().name("A")))
        .isInstanceOf(LimiterUnavailableException.class)
        .hasMessageContaining("other writers changed the same records on every attempt")
        .hasMessageContaining("attempts=12");
  }

  private static EntityRecord renamed(EntityRecord record, String name) {
    return new EntityRecord(
        record.key(),
        record.version() + 1,
        name,
        record.parentId(),
        record.ancestorsHint(),
        record.cascade(),
        record.disabled(),
        record.metadata(),
        record.createdAtMs(),
        record.children());
  }
}
