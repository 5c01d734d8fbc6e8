package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.NamespaceRecord.State;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class NamespacesTest {
  private final World world = new World();
  private final Namespaces namespaces = world.admin.namespaces();

  private long items(String id) {
    return world.memory.items().stream().filter(item -> item.namespace().equals(id)).count();
  }

  private State stored(RecordKey key) {
    return ((NamespaceRecord) Objects.requireNonNull(world.memory.record(key))).state();
  }

  /** Entities, limits, audit events and buckets of a namespace. */
  private String fill(String name, int entities) {
    String id = namespaces.register(name).id();
    NamespaceAdmin admin = world.admin.in(name);
    List<NewEntity> all = new ArrayList<>();
    for (int i = 0; i < entities; i++) {
      all.add(NewEntity.of("e" + i));
      world.create(BucketKey.first(id, "e" + i, "r"), 1, World.RPM_10, ConfigStamp.CALL);
    }
    admin.entities().createAll(all);
    admin.limits().set(LimitTarget.resource("r"), World.RPM_10);
    return id;
  }

  @Test
  void register_newName_hasAnOpaqueIdOfItsOwn() {
    NamespaceView prod = namespaces.register("prod");
    NamespaceView test = namespaces.register("test");

    assertThat(prod.id()).matches("[a-z2-7]{16}").isNotEqualTo(test.id()).doesNotContain("prod");
    assertThat(prod.state()).isEqualTo(State.ACTIVE);
    assertThat(namespaces.get("prod")).contains(prod);
    assertThat(namespaces.get("nobody")).isEmpty();
    assertThat(namespaces.list(10, null).items()).containsExactly(prod, test);
    assertThat(stored(new RecordKey.NamespaceById(prod.id()))).isEqualTo(State.ACTIVE);
    RefusalAssertion.because(
        world, Reason.NAMESPACE_EXISTS, "{namespace=prod}", () -> namespaces.register("prod"));
    for (String bad : List.of("", "_", "_x", "a/b", "a#b", "$x", "a b", "x".repeat(65))) {
      assertThatThrownBy(() -> namespaces.register(bad))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> world.admin.in(bad)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void in_notRegistered_saysWhatToDo() {
    assertThatThrownBy(() -> world.admin.in("prod").entities().get("e"))
        .isInstanceOf(LimiterConfigurationException.class)
        .hasMessage("the namespace is not registered {namespace=prod, todo=register it}");
    assertThat(world.admin.in("default").entities().get("e")).isEmpty();
  }

  @Test
  void delete_andRecover_refusesEverybodyMeanwhile() {
    String id = fill("prod", 3);
    NamespaceView deleted = namespaces.delete("prod");
    assertThat(deleted.state()).isEqualTo(State.DELETED);
    assertThat(stored(new RecordKey.NamespaceById(id))).isEqualTo(State.DELETED);

    assertThatThrownBy(() -> world.admin.in("prod").entities().get("e0"))
        .isInstanceOf(LimiterConfigurationException.class)
        .hasMessageContaining("state=DELETED, todo=recover it, or use another one");
    RefusalAssertion.because(
        world, Reason.NAMESPACE_STATE, "needed=ACTIVE", () -> namespaces.delete("prod"));
    RefusalAssertion.because(
        world, Reason.NAMESPACE_EXISTS, "{namespace=prod}", () -> namespaces.register("prod"));

    namespaces.recover("prod");
    assertThat(stored(new RecordKey.NamespaceById(id))).isEqualTo(State.ACTIVE);
    assertThat(world.admin.in("prod").entities().get("e0")).isPresent();
    RefusalAssertion.because(
        world, Reason.NAMESPACE_STATE, "needed=DELETED", () -> namespaces.recover("prod"));
    RefusalAssertion.because(
        world, Reason.UNKNOWN_NAMESPACE, "{namespace=x}", () -> namespaces.delete("x"));
    assertThat(namespaces.audit("prod", AuditQuery.newest(10)).items())
        .extracting(AuditEntry::action)
        .containsExactly("namespace.recover", "namespace.delete", "namespace.register");
  }

  /** Fault 26 of the original: who knew the id went on writing. */
  @Test
  void in_knownBefore_noticesTheDeletionWithinAMinute() {
    namespaces.register("prod");
    NamespaceAdmin known = world.admin.in("prod");
    known.entities().create(NewEntity.of("a"));
    namespaces.delete("prod");

    known.entities().create(NewEntity.of("b"));
    world.clock.advance(Duration.ofSeconds(60));

    assertThatThrownBy(() -> known.entities().create(NewEntity.of("c")))
        .isInstanceOf(LimiterConfigurationException.class);
  }

  @Test
  void purge_tooEarlyOrNotDeleted_isRefused() {
    namespaces.register("prod");
    RefusalAssertion.because(
        world,
        Reason.NAMESPACE_STATE,
        "needed=DELETED",
        () -> namespaces.purge("prod", ProgressListener.NONE));
    namespaces.delete("prod");
    world.clock.advance(Duration.ofSeconds(299));
    RefusalAssertion.because(
        world,
        Reason.PURGE_TOO_EARLY,
        "{namespace=prod, deletedFor=PT4M59S, purgeAfter=PT5M}",
        () -> namespaces.purge("prod", ProgressListener.NONE));
  }

  @Test
  void purge_longEnoughAfter_removesEverythingOfItAndNothingElse() {
    String id = fill("prod", 600);
    String other = fill("other", 5);
    namespaces.delete("prod");
    world.clock.advance(Duration.ofMinutes(5));
    long others = items(other);
    List<Long> examined = new ArrayList<>();

    JobView result = namespaces.purge("prod", report -> examined.add(report.examined()));

    assertThat(result.isDone()).isTrue();
    assertThat(result.changed()).isGreaterThan(1_800);
    assertThat(examined).hasSizeGreaterThan(1).isSorted();
    assertThat(items(id)).isZero();
    assertThat(items(other)).isEqualTo(others);
    assertThat(namespaces.get("prod")).isEmpty();
    assertThat(world.memory.record(new RecordKey.NamespaceById(id))).isNull();
    assertThat(namespaces.register("prod").id()).as("ids are never used again").isNotEqualTo(id);
  }

  @Test
  void purge_killedAnywhere_isFinishedByCallingItAgain() {
    for (int killedAt = 1; ; killedAt++) {
      World fresh = new World();
      Namespaces own = fresh.admin.namespaces();
      String id = own.register("prod").id();
      for (int i = 0; i < 60; i++) {
        fresh.create(BucketKey.first(id, "e" + i, "r"), 1, World.RPM_10, ConfigStamp.CALL);
      }
      own.delete("prod");
      fresh.clock.advance(Duration.ofMinutes(6));
      int[] calls = {0};
      int last = killedAt;
      fresh.store.always(
          call -> ++calls[0] == last, Fault.raise(new IllegalStateException("killed")));
      try {
        own.purge("prod", ProgressListener.NONE);
        assertThat(killedAt).isGreaterThan(6);
        return;
      } catch (IllegalStateException e) {
        fresh.store.heal();
      }
      Namespaces another = fresh.another().namespaces();
      assertThat(another.get("prod")).as("the records go last").isPresent();
      assertThat(another.purge("prod", ProgressListener.NONE).isDone()).isTrue();
      assertThat(fresh.memory.items()).noneMatch(item -> item.namespace().equals(id));
      assertThat(another.get("prod")).isEmpty();
      assertThat(another.jobs().unfinished(10, null).items()).isEmpty();
    }
  }

  @Test
  void purge_underWay_cannotBeRecoveredAndIsResumedAsAJob() {
    fill("prod", 30);
    namespaces.delete("prod");
    world.clock.advance(Duration.ofMinutes(5));
    world.store.always(call -> call instanceof StoreCall.Erase, Fault.unreachable());
    assertThatThrownBy(() -> namespaces.purge("prod", ProgressListener.NONE))
        .isInstanceOf(LimiterUnavailableException.class);
    world.store.heal();

    RefusalAssertion.because(
        world, Reason.NAMESPACE_STATE, "state=PURGING", () -> namespaces.recover("prod"));
    assertThatThrownBy(() -> world.another().in("prod").entities().get("e0"))
        .hasMessageContaining("state=PURGING, todo=use another one");
    assertThat(namespaces.jobs().resumeAll(ProgressListener.NONE)).hasSize(1);
    assertThat(namespaces.get("prod")).isEmpty();
  }

  @Test
  void changes_ofBothRecords_areOneTransaction() {
    namespaces.register("prod");
    for (Runnable change :
        List.<Runnable>of(() -> namespaces.delete("prod"), () -> namespaces.recover("prod"))) {
      world.recording.clear();
      change.run();
      assertThat(world.recording.roundTrips(call -> call instanceof StoreCall.Transaction))
          .isEqualTo(1);
      List<ListEntry> listed = world.listed(new Listing.Namespaces());
      NamespaceRecord byName = (NamespaceRecord) ((ListEntry.Stored) listed.get(0)).record();
      assertThat(stored(new RecordKey.NamespaceById(byName.id()))).isEqualTo(byName.state());
    }
  }

  @Test
  void orphans_itemsOfUnknownIds_areCountedAndPurged() {
    String prod = fill("prod", 4);
    world.ns.entities().create(NewEntity.of("kept"));
    for (int i = 0; i < 7; i++) {
      world.create(BucketKey.first("ghost", "e" + i, "r"), 1, World.RPM_10, ConfigStamp.CALL);
    }
    world.create(BucketKey.first("spectre", "e", "r"), 1, World.RPM_10, ConfigStamp.CALL);
    int all = world.memory.items().size();

    OrphanReport report = namespaces.orphans(ProgressListener.NONE);

    assertThat(report).isEqualTo(new OrphanReport(Map.of("ghost", 7L, "spectre", 1L), 0, all));
    assertThat(namespaces.purgeOrphans("ghost", ProgressListener.NONE).changed()).isEqualTo(7);
    assertThat(items("ghost")).isZero();
    assertThat(items("spectre")).isEqualTo(1);
    for (String id : List.of(prod, "default", "_")) {
      RefusalAssertion.because(
          world,
          Reason.NOT_AN_ORPHAN,
          "{id=" + id + "}",
          () -> namespaces.purgeOrphans(id, ProgressListener.NONE));
    }
    assertThat(world.ns.entities().get("kept")).isPresent();
    assertThat(namespaces.audit(AuditQuery.newest(1)).items().get(0).action())
        .isEqualTo("orphans.purge");
  }

  @Test
  void defaultNamespace_registered_isLikeTheOthers() {
    world.ns.entities().create(NewEntity.of("a"));
    assertThat(namespaces.list(10, null).items()).isEmpty();

    NamespaceView registered = namespaces.register("default");

    assertThat(registered.id()).isEqualTo("default");
    assertThat(world.another().in("default").entities().get("a")).isPresent();
    namespaces.delete("default");
    assertThatThrownBy(() -> world.another().in("default").entities().get("a"))
        .isInstanceOf(LimiterConfigurationException.class);
    world.clock.advance(Duration.ofMinutes(5));
    namespaces.purge("default", ProgressListener.NONE);
    assertThat(items("default")).isZero();
    assertThat(world.another().in("default").entities().get("a")).isEmpty();
    namespaces.register("default");
    namespaces.delete("default");
    world.clock.advance(Duration.ofMinutes(5));
    assertThat(namespaces.purge("default", ProgressListener.NONE).isDone()).isTrue();
  }

  @Test
  void register_sameNameByTwo_oneIsRefused() {
    Namespaces others = world.another().namespaces();
    world.store.once(
        call -> call instanceof StoreCall.Transaction, Fault.before(() -> others.register("prod")));
    assertThatThrownBy(() -> namespaces.register("prod"))
        .isInstanceOf(ChangeRefusedException.class);
    assertThat(namespaces.list(10, null).items()).hasSize(1);
  }
}
