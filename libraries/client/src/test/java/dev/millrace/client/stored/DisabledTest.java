package dev.millrace.client.stored;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.RESOURCE;
import static dev.millrace.client.support.HierarchyBench.key;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.AcquireRequest;
import dev.millrace.DisabledBucket;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterDisabledException;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.Calls;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is switched off refuses everybody, with an answer of its own. */
class DisabledTest {
  private final HierarchyBench bench = new HierarchyBench();

  private static void assertOff(Caller caller, AcquireRequest request, String entityId) {
    assertThat(caller.tryAcquire(request).disabled())
        .contains(new DisabledBucket(entityId, RESOURCE));
    assertThatExceptionOfType(LimiterDisabledException.class)
        .isThrownBy(() -> caller.acquire(request))
        .satisfies(
            e -> {
              assertThat(e.attributes()).containsEntry("entity", entityId);
              assertThat(e.attributes()).containsEntry("resource", RESOURCE);
            });
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_entityOffFromTheBeginning_makesNoBucket(Style style) {
    bench.directory.add(ENTITY, null);
    bench.directory.system(rpm(100));
    bench.directory.switchEntity(ENTITY, false);
    try (Caller caller = bench.caller(style)) {
      assertOff(caller, request(1), ENTITY);
      assertThat(bench.memory.size()).isZero();
      assertThat(caller.metrics().disabled()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_entitySwitchedOff_isRefusedAtOnceAlsoWhenWarm(Style style) {
    bench.directory.add(ENTITY, null);
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.switchEntity(ENTITY, false);
      bench.refresh(ENTITY);

      assertOff(caller, request(1), ENTITY);
      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_resourceSwitchedOff_isRefusedForEveryEntity(Style style) {
    bench.directory.resource(RESOURCE, rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request("a", 1));
      caller.acquire(request("b", 1).limits(rpm(7)));
      bench.directory.switchResource(RESOURCE, false);
      bench.refresh("a");
      bench.refresh("b");

      assertOff(caller, request("a", 1), "a");
      assertOff(caller, request("b", 1).limits(rpm(7)), "b");
      caller.invalidate();
      assertOff(caller, request("c", 1), "c");
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_ancestorSwitchedOff_isRefusedAndNobodyIsCharged(Style style) {
    bench.directory.chain(ENTITY, "team", "org");
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.switchEntity("org", false);
      bench.refresh("org");

      assertOff(caller, request(1), "org");
      for (String entity : List.of(ENTITY, "team", "org")) {
        assertThat(bench.consumed(entity)).as(entity).isEqualTo(1);
      }
    }
  }

  /** Also an ancestor from which nothing is taken, because it has no limits, or none of these. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_ancestorWithoutLimitsOff_isRefused(Style style) {
    bench.directory.chain(ENTITY, "team", "org");
    bench.directory.entity(ENTITY, rpm(100));
    bench.directory.entity("team", Limit.perMinute("tpm", 5));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.switchEntity("team", false);
      caller.invalidate();
      assertOff(caller, request(1), "team");

      bench.directory.switchEntity("team", true);
      bench.directory.switchEntity("org", false);
      caller.invalidate();
      assertOff(caller, request(1), "org");

      bench.directory.switchEntity("org", true);
      bench.advance(1_000);
      caller.acquire(request(1));
      assertThat(bench.consumed(ENTITY)).isEqualTo(2);
    }
  }

  /** Where an entity does not draw on its parent, the parent's switch is none of its business. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_parentOffButNoCascade_isGranted(Style style) {
    bench.directory.chain(ENTITY, "team");
    bench.directory.cascade(ENTITY, false);
    bench.directory.system(rpm(100));
    bench.directory.switchEntity("team", false);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      assertThat(bench.exists("team")).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_furtherResourceOff_isRefused(Style style) {
    bench.directory.system(rpm(100), Limit.perMinute("cents", 50));
    AcquireRequest request = request(1).and("budget", "cents", 1);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request);
      bench.directory.switchResource("budget", false);
      bench.directory.refresh(ENTITY, "budget", bench.clock.nowMs());

      assertThat(caller.tryAcquire(request).disabled())
          .contains(new DisabledBucket(ENTITY, "budget"));
      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
      caller.acquire(request(1));
      assertThat(bench.consumed(ENTITY)).isEqualTo(2);
    }
  }

  /** A write that claims no refill does not see the lock; the switch itself refuses it. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_onTheConsumePath_isRefusedByTheSwitch(Style style) {
    bench.directory.add(ENTITY, null);
    bench.directory.system(rpm(1_000));
    try (Caller caller = bench.caller(style);
        Caller other = bench.caller(style)) {
      while (bench
          .callsOf(Calls.writes(WritePlan.Consume.class), () -> contend(caller, other))
          .isEmpty()) {
        assertThat(bench.clock.nowMs()).as("they never contend").isLessThan(1_700_000_100_000L);
      }
      bench.directory.switchEntity(ENTITY, false);
      bench.refresh(ENTITY);
      long consumed = bench.consumed(ENTITY);
      bench.calls.clear();

      assertOff(caller, request(1), ENTITY);

      assertThat(bench.calls.exchanges())
          .filteredOn(it -> Calls.writes(WritePlan.Consume.class).test(it.call()))
          .isNotEmpty()
          .allSatisfy(it -> assertThat(it.reply()).isInstanceOf(StoreReply.Refused.class));
      assertThat(bench.consumed(ENTITY)).isEqualTo(consumed);
    }
  }

  private void contend(Caller caller, Caller other) {
    for (int i = 0; i < 3; i++) {
      other.acquire(request(1));
      caller.acquire(request(1));
      bench.advance(20);
    }
  }

  private void hammer(Caller caller, AcquireRequest request, int calls, long everyMs) {
    for (int i = 0; i < calls; i++) {
      assertThat(caller.tryAcquire(request).isDisabled()).isTrue();
      bench.advance(everyMs);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_offAndHammeredWithoutABucket_asksOnceASecond(Style style) {
    bench.directory.add(ENTITY, null);
    bench.directory.system(rpm(100));
    bench.directory.switchEntity(ENTITY, false);
    try (Caller caller = bench.caller(style)) {
      hammer(caller, request(1), 500, 10);

      assertThat(bench.calls.roundTrips(Calls.lookups())).isBetween(1, 6);
      assertThat(bench.calls.roundTrips(Calls.reads())).isBetween(1, 6);
      assertThat(bench.calls.roundTrips(Calls.writes())).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_offAndHammeredWithABucket_asksOnceASecond(Style style) {
    bench.directory.add(ENTITY, null);
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.switchEntity(ENTITY, false);
      bench.refresh(ENTITY);
      bench.calls.clear();
      hammer(caller, request(1), 500, 10);

      assertThat(bench.calls.roundTrips(Calls.lookups())).isBetween(1, 6);
      assertThat(bench.calls.roundTrips(Calls.reads())).isBetween(1, 6);
      assertThat(bench.calls.roundTrips(Calls.writes())).isLessThanOrEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_ancestorOffAndHammered_asksOnceASecondAndChargesNothing(Style style) {
    bench.directory.chain(ENTITY, "team");
    bench.directory.system(rpm(100));
    bench.directory.switchEntity("team", false);
    try (Caller caller = bench.caller(style)) {
      hammer(caller, request(1), 500, 10);

      assertThat(bench.calls.roundTrips(Calls.lookups())).isBetween(1, 7);
      assertThat(bench.calls.roundTrips(Calls.reads())).isBetween(1, 7);
      assertThat(bench.calls.roundTrips(Calls.writes())).isZero();
      assertThat(bench.memory.size()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_switchedOnWithoutABucket_isGrantedAfterASecond(Style style) {
    bench.directory.add(ENTITY, null);
    bench.directory.system(rpm(100));
    bench.directory.switchEntity(ENTITY, false);
    try (Caller caller = bench.caller(style)) {
      hammer(caller, request(1), 20, 50);
      bench.directory.switchEntity(ENTITY, true);
      bench.advance(1_000);

      caller.acquire(request(1));

      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_switchedOnWithABucket_isGrantedAndTheLimitsSurvive(Style style) {
    bench.directory.add(ENTITY, null);
    bench.directory.entity(ENTITY, rpm(100));
    try (Caller caller = bench.caller(style);
        Caller another = bench.caller(style)) {
      caller.acquire(request(40));
      bench.directory.switchEntity(ENTITY, false);
      bench.refresh(ENTITY);
      assertThat(caller.tryAcquire(request(1)).isDisabled()).isTrue();
      bench.directory.switchEntity(ENTITY, true);
      bench.refresh(ENTITY);

      another.acquire(request(1)); // whoever has not seen it off is not even a second late
      bench.advance(1_000);
      caller.acquire(request(1));

      assertThat(bench.consumed(ENTITY)).isEqualTo(42);
      assertThat(bench.limit(key(ENTITY), "rpm").limit()).isEqualTo(rpm(100));
      assertThat(bench.limit(key(ENTITY), "rpm").tokensMilli()).isLessThan(61_000);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void close_leaseOfWhatWasSwitchedOff_settlesAllTheSame(Style style) {
    bench.directory.chain(ENTITY, "team");
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      Lease charged = caller.acquire(request(10));
      Lease cancelled = caller.acquire(request(20));
      bench.directory.switchEntity(ENTITY, false);
      bench.directory.switchEntity("team", false);
      bench.refresh(ENTITY);
      bench.refresh("team");

      assertThatExceptionOfType(LimiterDisabledException.class)
          .isThrownBy(() -> charged.consume("rpm", 1));
      charged.adjust("rpm", 5);
      charged.close();
      cancelled.cancel();

      assertThat(bench.consumed(ENTITY)).isEqualTo(15);
      assertThat(bench.consumed("team")).isEqualTo(15);
      assertThat(bench.state(ENTITY).stamp().disabled()).isTrue();
    }
  }

  /** Waiting does not help against a switch. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_offAndWillingToWait_isRefusedAtOnce(Style style) {
    bench.directory.add(ENTITY, null);
    bench.directory.system(rpm(100));
    bench.directory.switchEntity(ENTITY, false);
    try (Caller caller = bench.caller(style)) {
      assertThat(caller.tryAcquire(request(1), Duration.ofHours(1)).isDisabled()).isTrue();
      assertThat(bench.clock.sleepers()).isZero();
    }
  }

  /** Tokens that were taken ahead are not handed out either. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_offWithTokensTakenAhead_isRefused(Style style) {
    bench.directory.add(ENTITY, null);
    bench.directory.system(Limit.perSecond("rpm", 10_000));
    try (Caller caller = bench.caller(style, bench.options().prefetch(Duration.ofSeconds(2)))) {
      for (int i = 0; i < 2_000; i++) {
        caller.acquire(request(1));
        if (i % 10 == 0) {
          bench.advance(10);
        }
      }
      assertThat(bench.calls.roundTrips(Calls.writes())).isLessThan(1_000);
      bench.directory.switchEntity(ENTITY, false);
      bench.refresh(ENTITY);
      caller.invalidate();

      assertOff(caller, request(1), ENTITY);
    }
  }
}
