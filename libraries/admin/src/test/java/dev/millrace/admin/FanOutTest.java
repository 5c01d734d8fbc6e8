package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A change reaches the buckets that exist. */
class FanOutTest {
  private static final LimitSet RPM_5 = LimitSet.of(Limit.perMinute("rpm", 5));

  private final World world = new World();
  private final LimitAdmin limits = world.ns.limits();

  private JobView buckets(ChangeResult result) {
    return Objects.requireNonNull(result.buckets());
  }

  private void assertFollows(String entityId, String resource, int shard) {
    BucketState bucket = world.bucket(entityId, resource, shard);
    EffectiveLimits terms = Objects.requireNonNull(world.terms(entityId, resource));
    assertThat(World.limitsOf(bucket)).isEqualTo(terms.limits());
    assertThat(bucket.stamp()).isEqualTo(terms.stamp());
  }

  @Test
  void entityResource_everyShard_followsByKeyWithoutTheIndex() {
    limits.set(LimitTarget.resource("r"), World.RPM_100);
    world.open("e", "r", 128);
    world.open("f", "r", 1);
    world.recording.clear();

    JobView result = buckets(limits.set(LimitTarget.entityResource("e", "r"), RPM_5));

    assertThat(result.isDone()).isTrue();
    assertThat(result.examined()).isEqualTo(128);
    assertThat(result.changed()).isEqualTo(128);
    for (int shard = 0; shard < 128; shard++) {
      assertFollows("e", "r", shard);
    }
    assertThat(world.bucket("e", "r").stamp().level()).isEqualTo(ConfigLevel.ENTITY_RESOURCE);
    assertThat(world.bucket("e", "r").expiresAtSeconds()).isEqualTo(BucketState.NEVER);
    assertThat(world.recording.roundTrips(call -> call instanceof StoreCall.ListPage)).isZero();
  }

  @Test
  void delete_entityResource_fallsBackAndExpiresAgain() {
    limits.set(LimitTarget.resource("r"), World.RPM_100);
    limits.set(LimitTarget.entityResource("e", "r"), RPM_5);
    limits.set(LimitTarget.entityResource("f", "r"), RPM_5);
    world.open("e", "r");
    world.open("f", "r", 2);

    assertThat(buckets(limits.delete(LimitTarget.entityResource("e", "r"))).changed()).isEqualTo(1);
    assertThat(buckets(limits.delete(LimitTarget.entityResource("f", "r"))).changed()).isEqualTo(2);

    assertFollows("f", "r", 1);
    assertThat(world.bucket("e", "r").stamp().level()).isEqualTo(ConfigLevel.RESOURCE);
    assertThat(world.bucket("e", "r").expiresAtSeconds()).isPositive();
    assertThat(world.bucket("e", "r").limits().get(0).tokensMilli())
        .as("a raised limit starts from the balance it has")
        .isEqualTo(5_000);
    assertThat(world.bucket("f", "r").expiresAtSeconds()).as("one of several stays").isZero();
  }

  @Test
  void entity_allItsBuckets_follow() {
    limits.set(LimitTarget.system(), World.RPM_100);
    for (int i = 0; i < 30; i++) {
      world.open("e", "r" + i);
    }
    world.open("f", "r0");

    JobView result = buckets(limits.set(LimitTarget.entity("e"), RPM_5));

    assertThat(result.changed()).isEqualTo(30);
    assertFollows("e", "r29", 0);
    assertThat(World.limitsOf(world.bucket("f", "r0"))).isEqualTo(World.RPM_100);
  }

  @Test
  void resource_withoutLimitsOfTheirOwn_followAndOthersAreSpared() {
    limits.set(LimitTarget.system(), World.RPM_100);
    for (int i = 0; i < 250; i++) {
      if (i % 2 == 0) {
        limits.set(LimitTarget.entityResource("e" + i, "r"), World.RPM_10);
      }
      world.open("e" + i, "r");
    }
    world.open("e0", "other");
    world.recording.clear();
    List<JobView> reports = new ArrayList<>();

    JobView result =
        buckets(
            limits.set(
                LimitTarget.resource("r"), RPM_5, SetOptions.DEFAULT.reportingTo(reports::add)));

    assertThat(result.examined()).isEqualTo(250);
    assertThat(result.changed()).isEqualTo(125);
    assertThat(world.recording.roundTrips(Calls.writes())).isEqualTo(125);
    assertThat(reports).extracting(JobView::examined).isSorted().contains(100L, 250L);
    for (int i = 0; i < 250; i++) {
      assertThat(World.limitsOf(world.bucket("e" + i, "r")))
          .isEqualTo(i % 2 == 0 ? World.RPM_10 : RPM_5);
    }
    assertThat(World.limitsOf(world.bucket("e0", "other"))).isEqualTo(World.RPM_100);
  }

  @Test
  void system_everyBucketOfTheNamespace_follows() {
    limits.set(LimitTarget.system(), World.RPM_100);
    limits.set(LimitTarget.resource("own"), World.RPM_10);
    world.open("e", "r1");
    world.open("f", "r2", 4);
    world.open("f", "own");
    BucketKey foreign = BucketKey.first("elsewhere", "e", "r1");
    world.create(
        foreign,
        1,
        World.RPM_100,
        new ConfigStamp(ConfigLevel.SYSTEM, RecordVersions.of(ConfigLevel.SYSTEM, 1), false));

    JobView result = buckets(limits.set(LimitTarget.system(), RPM_5));

    assertThat(result.changed()).isEqualTo(5);
    assertFollows("e", "r1", 0);
    assertFollows("f", "r2", 2);
    assertThat(World.limitsOf(world.bucket("f", "own"))).isEqualTo(World.RPM_10);
    assertThat(World.limitsOf(Objects.requireNonNull(world.memory.snapshot(foreign))))
        .isEqualTo(World.RPM_100);
  }

  @Test
  void lowered_balanceIsClippedAndNeverMinted() {
    limits.set(LimitTarget.resource("r"), World.RPM_100);
    world.open("full", "r");
    world.open("low", "r");
    world.charge(BucketKey.first(World.NS, "low", "r"), "rpm", 97);

    limits.set(LimitTarget.resource("r"), RPM_5);

    assertThat(world.bucket("full", "r").limits().get(0).tokensMilli()).isEqualTo(5_000);
    assertThat(world.bucket("low", "r").limits().get(0).tokensMilli())
        .as("what was left, and the millisecond by which the lock moves")
        .isBetween(3_000L, 3_002L);
  }

  @Test
  void limitsOfCalls_keepTheirLimits() {
    BucketKey key = BucketKey.first(World.NS, "e", "r");
    world.create(key, 1, World.RPM_10, ConfigStamp.CALL);

    assertThat(buckets(limits.set(LimitTarget.resource("r"), RPM_5)).changed()).isZero();
    assertThat(World.limitsOf(world.bucket("e", "r"))).isEqualTo(World.RPM_10);

    ChangeResult off = world.ns.limits().setDisabled("r", true);
    assertThat(buckets(off).changed()).isEqualTo(1);
    assertThat(World.limitsOf(world.bucket("e", "r"))).isEqualTo(World.RPM_10);
    assertThat(world.bucket("e", "r").stamp())
        .isEqualTo(
            new ConfigStamp(ConfigLevel.CALL, RecordVersions.of(ConfigLevel.RESOURCE, 2), true));
  }

  @Test
  void delete_lastLimits_bucketKeepsThemAsThoseOfCalls() {
    limits.set(LimitTarget.entityResource("e", "r"), RPM_5);
    world.open("e", "r");

    limits.delete(LimitTarget.entityResource("e", "r"));

    BucketState bucket = world.bucket("e", "r");
    assertThat(World.limitsOf(bucket)).isEqualTo(RPM_5);
    assertThat(bucket.stamp())
        .isEqualTo(
            new ConfigStamp(
                ConfigLevel.CALL, RecordVersions.of(ConfigLevel.ENTITY_RESOURCE, 2), false));
    assertThat(bucket.expiresAtSeconds()).isPositive();
  }

  @Test
  void move_bucketsOfTheEntity_learnOfIt() {
    world.ns.entities().create(NewEntity.of("p"));
    world.ns.entities().create(NewEntity.of("e"));
    limits.set(LimitTarget.system(), World.RPM_10);
    ConfigStamp before = world.open("e", "r").stamp();

    assertThat(buckets(world.ns.entities().move("e", "p")).changed()).isEqualTo(1);

    assertThat(before.isAtLeast(world.bucket("e", "r").stamp())).isFalse();
    assertFollows("e", "r", 0);
  }

  @Test
  void switches_offAndOn_reachEveryBucketAndKeepLimits() {
    world.ns.entities().create(NewEntity.of("e"));
    limits.set(LimitTarget.resource("r"), World.RPM_10);
    world.open("e", "r", 2);
    world.open("f", "r");
    world.charge(BucketKey.first(World.NS, "f", "r"), "rpm", 4);

    assertThat(buckets(world.ns.limits().setDisabled("r", true)).changed()).isEqualTo(3);
    assertThat(world.bucket("e", "r", 1).stamp().disabled()).isTrue();
    assertFollows("f", "r", 0);
    assertThat(limits.get(LimitTarget.resource("r")).orElseThrow().limits())
        .isEqualTo(World.RPM_10);
    world.ns.entities().setDisabled("e", true);
    world.ns.limits().setDisabled("r", false);
    assertThat(world.bucket("e", "r", 1).stamp().disabled()).isTrue();
    assertThat(world.bucket("f", "r").stamp().disabled()).isFalse();
    assertThat(world.bucket("f", "r").limits().get(0).tokensMilli()).isBetween(6_000L, 6_003L);
    world.ns.entities().setDisabled("e", false);
    assertFollows("e", "r", 1);
    assertThat(world.actions("e"))
        .containsExactly("entity.create", "entity.disable", "entity.enable");
    assertThat(world.actions("$RESOURCE:r"))
        .containsExactly("limits.set", "resource.disable", "resource.enable");
    assertThatThrownBy(() -> world.ns.entities().setDisabled("nobody", true))
        .hasMessageContaining("there is no such entity");
  }

  @Test
  void rate_writes_areNoFasterThanTheyMayBe() {
    limits.set(LimitTarget.resource("r"), World.RPM_100);
    for (int i = 0; i < 200; i++) {
      world.open("e" + i, "r");
    }
    LimitAdmin slow = world.another(world.options().maxWritesPerSecond(50)).in(World.NS).limits();
    long startMs = world.clock.nowMs();

    slow.set(LimitTarget.resource("r"), RPM_5);

    assertThat(world.clock.nowMs() - startMs).isBetween(3_900L, 4_200L);
  }

  @Test
  void concurrency_manyAtOnce_everyBucketFollows() {
    limits.set(LimitTarget.resource("r"), World.RPM_100);
    for (int i = 0; i < 500; i++) {
      world.open("e" + i, "r");
    }
    try (Admin parallel = world.another(world.options().concurrency(8))) {
      assertThat(
              buckets(parallel.in(World.NS).limits().set(LimitTarget.resource("r"), RPM_5))
                  .changed())
          .isEqualTo(500);
    }
    for (int i = 0; i < 500; i++) {
      assertFollows("e" + i, "r", 0);
    }
  }

  @Test
  void lookups_ofAPage_areBatched() {
    limits.set(LimitTarget.resource("r"), World.RPM_100);
    for (int i = 0; i < 100; i++) {
      world.open("e" + i, "r");
    }
    world.recording.clear();

    limits.set(LimitTarget.resource("r"), RPM_5);

    assertThat(world.recording.roundTrips(call -> call instanceof StoreCall.ReadAll)).isEqualTo(1);
    assertThat(world.recording.roundTrips(call -> call instanceof StoreCall.Lookup))
        .isLessThanOrEqualTo(6);
  }
}
