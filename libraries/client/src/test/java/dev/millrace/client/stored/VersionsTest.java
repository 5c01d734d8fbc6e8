package dev.millrace.client.stored;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.RESOURCE;
import static dev.millrace.client.support.HierarchyBench.key;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process whose copy of the configuration is older, or newer, than what its bucket follows. */
class VersionsTest {
  private static final long MINUTE_MS = 60_000;

  private final HierarchyBench bench = new HierarchyBench();

  private static RecordVersions system(long version) {
    return RecordVersions.of(ConfigLevel.SYSTEM, version);
  }

  private Limit limit(String entityId) {
    return bench.limit(key(entityId), "rpm").limit();
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_bucketAhead_isLookedUpAnewAndChargedOnce(Style style) {
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.system(rpm(5));
      bench.refresh(ENTITY);

      int lookUps = bench.lookUps(() -> caller.acquire(request(2)));

      assertThat(lookUps).isEqualTo(1);
      assertThat(limit(ENTITY)).isEqualTo(rpm(5));
      assertThat(bench.consumed(ENTITY)).isEqualTo(3);
      assertThat(caller.tryAcquire(request(4)).isGranted()).isFalse();
      assertThat(bench.lookUps(() -> caller.acquire(request(1)))).isZero();
    }
  }

  /** Also when what this process has seen of the bucket would refuse. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_limitRaisedWhileRefusing_isGrantedOnceTheMirrorIsOld(Style style) {
    bench.directory.system(rpm(5));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(5));
      assertThat(caller.tryAcquire(request(1)).isGranted()).isFalse();
      bench.directory.system(rpm(6_000));
      bench.refresh(ENTITY);
      bench.advance(1_000);

      assertThat(caller.tryAcquire(request(50)).isGranted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_processAhead_repairsTheBucketInTheSameWrite(Style style) {
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.system(rpm(5));
      caller.invalidate();

      assertThat(bench.writes(() -> caller.acquire(request(2)))).isEqualTo(1);

      assertThat(limit(ENTITY)).isEqualTo(rpm(5));
      assertThat(bench.state(ENTITY).stamp().versions()).isEqualTo(system(2));
      assertThat(bench.consumed(ENTITY)).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_entityMoved_drawsOnTheNewParentAtOnce(Style style) {
    bench.directory.chain(ENTITY, "old-team", "org");
    bench.directory.add("new-team", "org");
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.move(ENTITY, "new-team");
      bench.refresh(ENTITY);

      caller.acquire(request(2));

      assertThat(bench.consumed(ENTITY)).isEqualTo(3);
      assertThat(bench.consumed("old-team")).isEqualTo(1);
      assertThat(bench.consumed("new-team")).isEqualTo(2);
      assertThat(bench.consumed("org")).isEqualTo(3);
    }
  }

  /** A subtree that moves: the entities below it keep their parent. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_parentMoved_drawsOnTheNewGrandparent(Style style) {
    bench.directory.chain(ENTITY, "team", "old-org");
    bench.directory.add("new-org", null);
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.move("team", "new-org");
      bench.refresh("team");

      caller.acquire(request(2));

      assertThat(bench.consumed(ENTITY)).isEqualTo(3);
      assertThat(bench.consumed("team")).isEqualTo(3);
      assertThat(bench.consumed("old-org")).isEqualTo(1);
      assertThat(bench.consumed("new-org")).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_cascadeSwitchedOff_leavesTheParentAlone(Style style) {
    bench.directory.chain(ENTITY, "team");
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.cascade(ENTITY, false);
      bench.refresh(ENTITY);

      caller.acquire(request(2));

      assertThat(bench.consumed(ENTITY)).isEqualTo(3);
      assertThat(bench.consumed("team")).isEqualTo(1);
    }
  }

  /** With limits of the call the limits do not change, but the parent does. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_limitsOnTheCallAndEntityMoved_drawsOnTheNewParent(Style style) {
    bench.directory.chain(ENTITY, "old-team");
    bench.directory.add("new-team", null);
    bench.directory.resource(RESOURCE, rpm(100));
    AcquireRequest request = request(1).limits(rpm(7));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request);
      bench.directory.move(ENTITY, "new-team");
      bench.refresh(ENTITY);

      caller.acquire(request);

      assertThat(limit(ENTITY)).isEqualTo(rpm(7));
      assertThat(bench.consumed(ENTITY)).isEqualTo(2);
      assertThat(bench.consumed("old-team")).isEqualTo(1);
      assertThat(bench.consumed("new-team")).isEqualTo(1);
    }
  }

  /**
   * A renewal that was asked before a change and answered after it brings old limits. Who was told
   * meanwhile by the bucket that there are newer ones must not take these for them: they would be
   * written over the new ones, as if they were even newer.
   */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_bucketAheadWhileARenewalIsUnderWay_oldLimitsDoNotComeBack(Style style)
      throws Exception {
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.advance(MINUTE_MS);
      Gate gate = new Gate();
      bench.faults.once(Calls.lookups(), Fault.holdReply(gate));
      CompletableFuture<Lease> renews = caller.begin(request(1));
      gate.awaitArrivals(1); // it has read the old limits
      bench.directory.system(rpm(5));
      bench.refresh(ENTITY);

      CompletableFuture<Lease> told = caller.begin(request(1));
      gate.open();
      Await.result(renews);
      Await.result(told);

      assertThat(limit(ENTITY)).isEqualTo(rpm(5));
      assertThat(bench.state(ENTITY).stamp().versions()).isEqualTo(system(2));
      caller.acquire(request(1));
      assertThat(limit(ENTITY)).isEqualTo(rpm(5));
    }
  }

  /** A bucket that was left behind by a deleted entity is older than what is made anew. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_entityDeletedAndMadeAnew_isNotLockedOut(Style style) {
    bench.directory.add(ENTITY, null);
    for (int i = 0; i < 10; i++) {
      bench.directory.entity(ENTITY, rpm(50 + i));
      bench.directory.entityResource(ENTITY, RESOURCE, rpm(70 + i));
      bench.directory.cascade(ENTITY, i % 2 == 0);
    }
    try (Caller other = bench.caller(style)) {
      other.acquire(request(1));
    }
    bench.directory.delete(ENTITY);
    bench.directory.deleteLimits(ENTITY, RESOURCE);
    bench.directory.add(ENTITY, null);
    bench.directory.entity(ENTITY, rpm(5));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      assertThat(limit(ENTITY)).isEqualTo(rpm(5));
      assertThat(bench.lookUps(() -> caller.acquire(request(1)))).isZero();
      bench.advance(MINUTE_MS);
      caller.acquire(request(1));
      assertThat(limit(ENTITY)).isEqualTo(rpm(5));
      assertThat(bench.consumed(ENTITY)).isEqualTo(4);

      bench.directory.entityResource(ENTITY, RESOURCE, rpm(7)); // and changes are noticed
      caller.invalidate();
      caller.acquire(request(1));
      assertThat(limit(ENTITY)).isEqualTo(rpm(7));
      assertThat(caller.metrics().configsSetBack()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_manyAreBehindAtOnce_fewLookUp(Style style) throws Exception {
    bench.directory.system(rpm(10_000));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.system(rpm(20_000));
      bench.refresh(ENTITY);
      Gate gate = new Gate();
      bench.faults.always(Calls.lookups(), Fault.holdReply(gate));
      int before = bench.calls.roundTrips(Calls.lookups());
      List<CompletableFuture<Lease>> begun = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        begun.add(caller.begin(request(1)));
      }
      gate.awaitArrivals(1);
      gate.open();
      begun.forEach(Await::result);

      assertThat(bench.calls.roundTrips(Calls.lookups()) - before).isLessThanOrEqualTo(4);
      assertThat(bench.consumed(ENTITY)).isEqualTo(201);
      assertThat(limit(ENTITY)).isEqualTo(rpm(20_000));
    }
  }

  /**
   * An ancestor from which nothing is taken has no bucket that could tell: what becomes of it is
   * seen when it is looked up again.
   */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_ancestorWithoutABucketChanges_isNoticedWithinTheCacheTime(Style style) {
    bench.directory.chain(ENTITY, "team");
    bench.directory.entity(ENTITY, rpm(1_000));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.entity("team", rpm(5));
      caller.acquire(request(1));
      assertThat(bench.exists("team")).isFalse();
      bench.advance(MINUTE_MS);

      caller.acquire(request(4));
      assertThat(bench.consumed("team")).isEqualTo(4);
      assertThat(caller.tryAcquire(request(2)).isGranted()).isFalse();
    }
  }

  /** Should the configuration change all the time, it ends all the same, and charges nothing. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_bucketAlwaysAhead_givesUp(Style style) {
    bench.directory.chain(ENTITY, "team");
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.faults.always(
          call -> call instanceof StoreCall.Write write && write.key().entityId().equals(ENTITY),
          Fault.before(
              () -> {
                bench.directory.cascade(ENTITY, true);
                bench.refresh(ENTITY);
              }));

      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(1)))
          .satisfies(e -> assertThat(e.attributes()).containsEntry("mayBeCharged", false));

      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
      assertThat(bench.consumed("team")).isEqualTo(1);
    }
  }

  /** Limits that were deleted go with the repair; a process that still knows them learns of it. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_limitDeleted_isNoLongerEnforced(Style style) {
    bench.directory.system(rpm(100), Limit.perMinute("tpm", 10));
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(1).consume("tpm", 10));
      bench.directory.system(rpm(100));
      bench.refresh(ENTITY);

      caller.acquire(request(1));
      assertThat(bench.state(ENTITY).find("tpm")).isNull();
      lease.adjust("tpm", 5);
      lease.adjust("rpm", 1);
      lease.close();

      assertThat(bench.state(ENTITY).find("tpm")).isNull();
      assertThat(bench.consumed(ENTITY)).isEqualTo(3);
    }
  }
}
