package dev.millrace.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import dev.millrace.Consistency;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.RateLimitExceededException;
import dev.millrace.Rejection;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.NewEntity;
import dev.millrace.admin.ProgressListener;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What went wrong elsewhere with tenants, their limits and their parents: one test for each fault,
 * so that none of them is built again. A key draws on its team.
 */
class TenantsTest {
  private static final String RESOURCE = HierarchyBench.RESOURCE;

  private final HierarchyBench bench = new HierarchyBench();
  private final Admin admin =
      Admin.of(
          bench.calls,
          AdminOptions.builder("tester")
              .clockMs(bench.clock::nowMs)
              .pacer(ms -> bench.advance(ms))
              .build());
  private final NamespaceAdmin tenants = admin.in("default");

  @AfterEach
  void close() {
    admin.close();
  }

  private void given(long ofKey, long ofTeam) {
    tenants.entities().create(NewEntity.of("team"));
    tenants.entities().create(NewEntity.of("key").under("team").cascading());
    set("key", ofKey);
    set("team", ofTeam);
  }

  private void set(String entity, long perMinute) {
    tenants
        .limits()
        .set(
            LimitTarget.entityResource(entity, RESOURCE),
            LimitSet.of(Limit.perMinute("rpm", perMinute)));
  }

  private static AcquireRequest request(long amount) {
    return HierarchyBench.request("key", amount);
  }

  private long counted(String entity) {
    return bench.exists(entity)
        ? bench.state(entity).limits().get(0).consumedMilli() / Limit.MILLI
        : 0;
  }

  /** Fault 5: live buckets kept the limits that they were created with, 60 of 5 were admitted. */
  @ParameterizedTest
  @EnumSource
  void loweredLimits_neverSpareALiveBucket(Style style) {
    tenants.limits().set(LimitTarget.resource(RESOURCE), LimitSet.of(Limit.perMinute("rpm", 60)));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));

      tenants.limits().set(LimitTarget.resource(RESOURCE), LimitSet.of(Limit.perMinute("rpm", 5)));

      int admitted = 0;
      for (int i = 0; i < 60; i++) {
        admitted += caller.tryAcquire(request(1)).isGranted() ? 1 : 0;
      }
      assertThat(admitted).isEqualTo(5);
    }
  }

  /** Fault 6: a record that was throttled was taken for one that is not there. */
  @ParameterizedTest
  @EnumSource
  void throttledRecords_neverMeanNoParent(Style style) {
    given(10, 10);
    try (Caller blocking = bench.caller(style);
        Caller allowing = bench.caller(style, bench.options().onUnavailable(OnUnavailable.ALLOW))) {
      bench.faults.always(Calls.lookups(), Fault.throttle());

      assertThatThrownBy(() -> blocking.acquire(request(1)))
          .isInstanceOf(LimiterUnavailableException.class);
      assertThat(allowing.acquire(request(1)).isDegraded()).isTrue();
      assertThat(bench.exists("key")).isFalse();

      bench.faults.heal();
      blocking.acquire(request(1));
      assertThat(counted("team")).isEqualTo(1);
    }
  }

  /** Fault 10: deleting an entity forgot its debt; the next bucket started full. */
  @Test
  void deletion_neverForgivesADebtUnasked() {
    given(10, 1_000);
    try (Caller caller = bench.caller(Style.BLOCKING)) {
      Lease lease = caller.acquire(request(1));
      lease.adjust("rpm", 100);
      lease.close();

      assertThatThrownBy(() -> tenants.entities().delete("key"))
          .isInstanceOf(ChangeRefusedException.class)
          .hasMessageContaining("key");
      assertThat(bench.exists("key")).isTrue();
      assertThat(tenants.entities().get("key")).isPresent();

      tenants.entities().delete("key", /* forgiveDebt= */ true, ProgressListener.NONE);
      assertThat(bench.exists("key")).isFalse();
    }
  }

  /** Fault 11: an exhausted parent was a validation error, not a refusal. */
  @ParameterizedTest
  @EnumSource
  void exhaustedParent_isAlwaysARefusalThatNamesIt(Style style) {
    given(10, 3);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(3));

      assertThatThrownBy(() -> caller.acquire(request(1)))
          .isInstanceOfSatisfying(
              RateLimitExceededException.class,
              refused -> {
                Rejection rejection = refused.rejection();
                assertThat(rejection.statuses())
                    .extracting(LimitStatus::entityId)
                    .containsExactly("key", "team");
                assertThat(rejection.primary().entityId()).isEqualTo("team");
                assertThat(rejection.retryAfterMs()).isPositive();
              });
    }
  }

  /** Fault 16: what is available ignored the parent, and read the item once for each limit. */
  @ParameterizedTest
  @EnumSource
  void available_neverIgnoresTheParent(Style style) {
    given(10, 3);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      int reads = bench.calls.roundTrips(Calls.reads());

      assertThat(caller.available("key", RESOURCE).tokens("rpm")).isEqualTo(2);
      assertThat(caller.timeUntilAvailable(request(3))).hasValue(Duration.ofSeconds(20));
      assertThat(bench.calls.roundTrips(Calls.reads()) - reads).as("one read each").isEqualTo(2);
    }
  }

  /** Fault 23: deletion read one page, ignored what was not processed, and left things behind. */
  @Test
  void deletion_neverLeavesAnythingBehind() {
    given(10, 1_000);
    try (Caller caller = bench.caller(Style.BLOCKING)) {
      for (int i = 0; i < 250; i++) {
        AcquireRequest request =
            AcquireRequest.of("key", "resource-" + i)
                .limits(Limit.perMinute("rpm", 10))
                .consume("rpm", 1);
        caller.acquire(request).close();
      }
    }
    assertThatThrownBy(() -> tenants.entities().delete("team"))
        .as("it has a child")
        .isInstanceOf(ChangeRefusedException.class);
    bench.faults.once(call -> call instanceof StoreCall.Erase, Fault.throttle());

    tenants.entities().delete("key");

    assertThat(tenants.entities().get("key")).isEmpty();
    assertThat(tenants.entities().children("team", 10, null).items()).isEmpty();
    assertThat(tenants.limits().ofEntities(RESOURCE, 10, null).items())
        .extracting(limits -> limits.target().entityId())
        .containsExactly("team");
    for (int i = 0; i < 250; i++) {
      assertThat(bench.memory.snapshot(HierarchyBench.key("key", "resource-" + i))).isNull();
    }
    tenants.entities().delete("team");
  }

  /** Fault 33: one look-up under way made all entities wait, and caches grew without bound. */
  @ParameterizedTest
  @EnumSource
  void lookUpUnderWay_neverHoldsUpOthers(Style style) throws Exception {
    given(10, 10);
    set("other", 10);
    Gate gate = new Gate();
    try (Caller caller = bench.caller(style, bench.options().maxConfigs(50))) {
      bench.faults.once(Calls.lookups(), Fault.holdReply(gate));
      CompletableFuture<Lease> slow = caller.begin(request(1));

      caller.acquire(HierarchyBench.request("other", 1)); // would wait for ever
      assertThat(slow).isNotDone();

      gate.open();
      Await.result(slow);
    }
  }

  /** Fault 34: a child stayed charged when its parent refused. */
  @ParameterizedTest
  @EnumSource
  void refusingParent_neverLeavesTheChildCharged(Style style) {
    given(100, 3);
    for (Consistency consistency : Consistency.values()) {
      try (Caller warm = bench.caller(style, bench.options().consistency(consistency));
          Caller cold = bench.caller(style, bench.options().consistency(consistency))) {
        long before = counted("key");
        int admitted = warm.tryAcquire(request(3)).isGranted() ? 3 : 0;

        assertThat(warm.tryAcquire(request(1)).isGranted()).isFalse();
        assertThat(cold.tryAcquire(request(1)).isGranted()).isFalse();

        assertThat(counted("key") - before).isEqualTo(admitted);
        assertThat(counted("team")).isEqualTo(counted("key"));
      }
      bench.advance(60_000);
    }
  }
}
