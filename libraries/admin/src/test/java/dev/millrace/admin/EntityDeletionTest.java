package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.core.internal.resolution.ConfigRecords;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Deleting an entity with everything that is kept about it. */
class EntityDeletionTest {
  private static final int RESOURCES = 60;

  private final World world = new World();
  private final EntityAdmin entities = world.ns.entities();

  private static String resource(int i) {
    return "r" + i;
  }

  /** An entity with limits and buckets of many resources, some with shards. */
  private void given(String id) {
    entities.create(NewEntity.of(id));
    world.ns.limits().set(LimitTarget.entity(id), World.RPM_100);
    for (int i = 0; i < RESOURCES; i++) {
      world.ns.limits().set(LimitTarget.entityResource(id, resource(i)), World.RPM_10);
      world.open(id, resource(i), i % 10 == 0 ? 4 : 1);
    }
  }

  private RecordVersions versions(String id) {
    return ConfigRecords.of(World.NS, id, resource(0), world.memory::record)
        .resolve()
        .stamp()
        .versions();
  }

  private static void assertNewer(RecordVersions now, RecordVersions before) {
    assertThat(now.isAtLeast(before)).as("%s after %s", now, before).isTrue();
    assertThat(now).isNotEqualTo(before);
  }

  private List<ListEntry> left(String id) {
    List<ListEntry> left = world.listed(new Listing.BucketsOfEntity(World.NS, id));
    left.addAll(world.listed(new Listing.ItemsOfEntity(World.NS, id)));
    return left;
  }

  private void assertOnlyTombstone(String id) {
    assertThat(left(id)).hasSize(1);
    ConfigRecord stone =
        (ConfigRecord) world.memory.record(RecordKey.Config.ofEntity(World.NS, id));
    assertThat(Objects.requireNonNull(stone).limits()).isNull();
    assertThat(world.ns.limits().ofEntity(id, 10, null).items()).isEmpty();
    assertThat(world.ns.limits().ofEntities(10, null).items()).isEmpty();
  }

  @Test
  void delete_withEverything_leavesOnlyAVersion() {
    given("a");
    entities.create(NewEntity.of("b"));
    RecordVersions before = versions("a");

    JobView result = entities.delete("a");

    assertThat(result.isDone()).isTrue();
    assertThat(result.changed()).isEqualTo(RESOURCES + 18 + RESOURCES);
    assertOnlyTombstone("a");
    assertNewer(versions("a"), before);
    assertThat(entities.get("a")).isEmpty();
    assertThat(entities.get("b")).isPresent();
    assertThat(entities.roots(10, null).items()).extracting(Entity::id).containsExactly("b");
    assertThat(world.actions("a")).endsWith("entity.delete");
    assertThat(world.ns.jobs().unfinished(100, null).items()).isEmpty();
  }

  @Test
  void delete_withChildren_isRefused() {
    entities.create(NewEntity.of("p"));
    entities.create(NewEntity.of("c").under("p"));
    RefusalAssertion.because(
        world, Reason.HAS_CHILDREN, "{entity=p, children=1}", () -> entities.delete("p"));
    entities.delete("c");
    assertThat(entities.delete("p").isDone()).isTrue();
  }

  @Test
  void delete_unknown_isRefused() {
    RefusalAssertion.because(
        world, Reason.UNKNOWN_ENTITY, "{entity=x}", () -> entities.delete("x"));
    entities.create(NewEntity.of("x"));
    entities.delete("x");
    RefusalAssertion.because(
        world, Reason.UNKNOWN_ENTITY, "{entity=x}", () -> entities.delete("x"));
  }

  @Test
  void delete_onlyLimitsAndNoRecord_removesThem() {
    world.ns.limits().set(LimitTarget.entityResource("x", "r"), World.RPM_10);
    world.open("x", "r");
    assertThat(entities.delete("x").changed()).isEqualTo(2);
    assertOnlyTombstone("x");
  }

  @Test
  void delete_inDebt_isRefusedUnlessForgiven() {
    given("a");
    world.charge(BucketKey.first(World.NS, "a", resource(7)), "rpm", 15);

    RefusalAssertion.because(
        world,
        Reason.IN_DEBT,
        "{entity=a, resource=r7, limit=rpm, debt=5}",
        () -> entities.delete("a"));
    world.clock.advance(Duration.ofMinutes(1));
    assertThat(entities.delete("a").isDone()).isTrue();

    given("b");
    world.charge(BucketKey.first(World.NS, "b", resource(7)), "rpm", 15);
    assertThat(entities.delete("b", /* forgiveDebt= */ true, ProgressListener.NONE).isDone())
        .isTrue();
  }

  @Test
  void delete_debtOfOneShard_isThatOfTheBucket() {
    world.ns.limits().set(LimitTarget.entityResource("x", "r"), World.RPM_10);
    world.open("x", "r", 4);
    BucketKey shard = new BucketKey(World.NS, "x", "r", 3);
    EntityAdmin small = world.another(world.options().pageSize(2)).in(World.NS).entities();
    world.charge(shard, "rpm", 11);

    RefusalAssertion.because(
        world,
        Reason.IN_DEBT,
        "{entity=x, resource=r, limit=rpm, debt=1}",
        () -> small.delete("x"));
    world.charge(shard, "rpm", -2);

    assertThat(small.delete("x").isDone()).as("the others make up for it").isTrue();
    assertOnlyTombstone("x");
  }

  /** The index shows the first shard only, and meanwhile there is one more. */
  @Test
  void delete_shardsThatTheIndexDoesNotShow_goToo() {
    world.ns.limits().set(LimitTarget.entityResource("x", "r"), World.RPM_10);
    BucketKey first = world.open("x", "r", 4).key();
    world.store.always(
        call -> call instanceof StoreCall.ListPage page && isBuckets(page),
        Fault.before(
                () -> {
                  if (world.memory.snapshot(first) != null
                      && world.memory.snapshot(first.withShard(4)) == null) {
                    world.split(first);
                  }
                })
            .and(HiddenShards.inTheIndex(key -> key.shard() != 0)));

    assertThat(entities.delete("x").isDone()).isTrue();

    world.store.heal();
    assertOnlyTombstone("x");
  }

  private static boolean isBuckets(StoreCall.ListPage page) {
    return page.listing() instanceof Listing.BucketsOfEntity;
  }

  @Test
  void delete_firstShardGone_theOthersGoToo() {
    world.ns.limits().set(LimitTarget.entityResource("x", "r"), World.RPM_10);
    world.memory.remove(world.open("x", "r", 4).key());

    assertThat(entities.delete("x").changed()).isEqualTo(4);

    assertOnlyTombstone("x");
  }

  @Test
  void delete_softLimitBelowZero_isNoDebt() {
    LimitSet soft = LimitSet.of(Limit.perMinute("rpm", 10).asSoft());
    world.ns.limits().set(LimitTarget.entityResource("x", "r"), soft);
    world.open("x", "r");
    world.charge(BucketKey.first(World.NS, "x", "r"), "rpm", 15);
    assertThat(entities.delete("x").isDone()).isTrue();
  }

  /** Killed at every call in turn, and finished by another process each time. */
  @Test
  void delete_killedAnywhere_isFinishedByResuming() {
    for (int killedAt = 1; ; killedAt++) {
      World fresh = new World();
      EntityAdmin admin = fresh.another(fresh.options().pageSize(7)).in(World.NS).entities();
      admin.create(NewEntity.of("p"));
      admin.create(NewEntity.of("a").under("p"));
      for (int i = 0; i < 10; i++) {
        fresh.ns.limits().set(LimitTarget.entityResource("a", resource(i)), World.RPM_10);
        fresh.open("a", resource(i));
      }
      int[] calls = {0};
      int last = killedAt;
      fresh.store.always(
          call -> ++calls[0] == last, Fault.raise(new IllegalStateException("killed")));
      try {
        admin.delete("a");
        assertThat(killedAt).as("calls of a deletion").isGreaterThan(10);
        return;
      } catch (IllegalStateException e) {
        fresh.store.heal();
      }
      NamespaceAdmin other = fresh.another().in(World.NS);
      boolean begun = fresh.entity("a") == null;
      if (begun) {
        other.jobs().resumeAll(ProgressListener.NONE);
      } else {
        other.entities().delete("a");
      }
      assertThat(fresh.listed(new Listing.BucketsOfEntity(World.NS, "a"))).isEmpty();
      assertThat(fresh.listed(new Listing.ItemsOfEntity(World.NS, "a"))).hasSize(1);
      assertThat(fresh.known("p").children()).isZero();
      assertThat(fresh.actions("a").stream().filter("entity.delete"::equals)).hasSize(1);
    }
  }

  @Test
  void delete_storeAway_saysWhatToResume() {
    given("a");
    world.store.always(call -> call instanceof StoreCall.Erase, Fault.unreachable());

    assertThatThrownBy(() -> entities.delete("a"))
        .isInstanceOf(LimiterUnavailableException.class)
        .hasMessageContaining("the work that follows it was interrupted")
        .hasMessageContaining("job=entity:a")
        .hasMessageContaining("todo=resume the job");
    world.store.heal();
    assertThatThrownBy(() -> world.ns.limits().set(LimitTarget.entity("a"), World.RPM_10))
        .hasMessageContaining("the entity is being deleted");

    // Deleting again goes on with it.
    assertThat(entities.delete("a").isDone()).isTrue();
    assertOnlyTombstone("a");
  }

  @Test
  void delete_throttledAndLostAnswers_isComplete() {
    given("a");
    int[] calls = {0};
    world.store.always(call -> ++calls[0] % 4 == 0, Fault.throttle());
    world.store.always(call -> calls[0] % 7 == 0, Fault.loseReply());
    assertThat(entities.delete("a").isDone()).isTrue();
    world.store.heal();
    assertOnlyTombstone("a");
  }

  /** A process that still knows the old limits makes a bucket after everything is gone. */
  @Test
  void delete_staleClientMakesABucket_neverOutrunsWhatHolds() {
    world.ns.limits().set(LimitTarget.resource(resource(0)), World.RPM_100);
    given("a");
    EffectiveLimits stale = Objects.requireNonNull(world.terms("a", resource(0)));
    entities.delete("a");
    world.create(BucketKey.first(World.NS, "a", resource(0)), 1, stale.limits(), stale.stamp());

    EffectiveLimits fresh = Objects.requireNonNull(world.terms("a", resource(0)));
    assertThat(fresh.stamp().level()).isEqualTo(ConfigLevel.RESOURCE);
    assertNewer(fresh.stamp().versions(), stale.stamp().versions());

    // Created again, it is ahead of that bucket too, and its first limits reach it.
    entities.create(NewEntity.of("a"));
    LimitSet limits = LimitSet.of(Limit.perMinute("rpm", 7));
    world.ns.limits().set(LimitTarget.entityResource("a", resource(0)), limits);
    assertThat(World.limitsOf(world.bucket("a", resource(0)))).isEqualTo(limits);
  }

  @Test
  void create_deletionOfTheIdUnfinished_isRefusedUntilItIsAbandoned() {
    given("a");
    world.store.always(call -> call instanceof StoreCall.Erase, Fault.unreachable());
    assertThatThrownBy(() -> entities.delete("a")).isInstanceOf(LimiterUnavailableException.class);
    world.store.heal();
    world.clock.advance(Duration.ofSeconds(31));

    entities.create(NewEntity.of("a").named("new"));

    assertThat(entities.get("a").orElseThrow().name()).isEqualTo("new");
    assertThat(left("a")).hasSize(2);
  }

  /** The first process hung in the middle; others finished, and the entity was created anew. */
  @Test
  void delete_latecomer_doesNotTouchWhatWasCreatedAnew() {
    given("a");
    boolean[] once = {true};
    world.store.always(
        call -> once[0] && call instanceof StoreCall.ListPage,
        Fault.after(
            () -> {
              if (once[0] && world.entity("a") == null) {
                once[0] = false;
                NamespaceAdmin other = world.another().in(World.NS);
                assertThat(other.jobs().resume("entity:a", ProgressListener.NONE).isDone())
                    .isTrue();
                other.entities().create(NewEntity.of("a"));
                other.limits().set(LimitTarget.entityResource("a", resource(0)), World.RPM_10);
                world.open("a", resource(0));
              }
            }));

    entities.delete("a");

    assertThat(once[0]).isFalse();
    assertThat(entities.get("a")).isPresent();
    assertThat(world.ns.limits().get(LimitTarget.entityResource("a", resource(0)))).isPresent();
    assertThat(world.memory.snapshot(BucketKey.first(World.NS, "a", resource(0)))).isNotNull();
  }

  @Test
  void delete_bucketsThatTheIndexDoesNotShowYet_areRemovedToo() {
    given("a");
    world.store.once(
        call -> call instanceof StoreCall.Transaction transaction && isRemoval(transaction),
        Fault.after(
            () -> {
              // Made by a process with an old copy, after the first pass over the index.
              world.store.once(
                  call ->
                      call instanceof StoreCall.ListPage page
                          && page.listing() instanceof Listing.UsageOfEntity,
                  Fault.before(
                      () ->
                          world.create(
                              BucketKey.first(World.NS, "a", "late"),
                              1,
                              World.RPM_10,
                              ConfigStamp.CALL)));
            }));

    entities.delete("a");

    assertThat(world.store.rulesLeft()).isZero();
    assertOnlyTombstone("a");
  }

  private static boolean isRemoval(StoreCall.Transaction transaction) {
    return transaction.changes().stream().anyMatch(RecordChange.Delete.class::isInstance);
  }
}
