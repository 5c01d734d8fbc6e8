package dev.millrace.client.hierarchy;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.RESOURCE;
import static dev.millrace.client.support.HierarchyBench.key;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.AcquireRequest;
import dev.millrace.Consistency;
import dev.millrace.DisabledBucket;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Rounds;
import dev.millrace.client.support.Style;
import dev.millrace.core.internal.protocol.CommitProtocol;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several buckets in one transaction. */
class TransactionalTest {
  private static final List<String> CHAIN = List.of(ENTITY, "a1", "a2");

  private final HierarchyBench bench = new HierarchyBench();

  @BeforeEach
  void entities() {
    bench.directory.chain(CHAIN.toArray(String[]::new));
    bench.directory.system(rpm(100), Limit.perMinute("cents", 50));
  }

  private Caller caller(Style style) {
    return bench.caller(style, bench.options().consistency(Consistency.TRANSACTIONAL));
  }

  private List<Long> consumed() {
    return CHAIN.stream().map(bench::consumed).toList();
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_warm_isOneTransactionAndNothingElse(Style style) {
    try (Caller caller = caller(style)) {
      caller.acquire(request(1));
      for (int i = 0; i < 3; i++) {
        bench.advance(700);
        assertThat(bench.callsOf(Calls.any(), () -> caller.acquire(request(1))))
            .singleElement()
            .satisfies(
                call ->
                    assertThat(((StoreCall.Transaction) call).plans())
                        .extracting(plan -> plan.key().entityId())
                        .containsExactlyElementsOf(CHAIN));
      }
      assertThat(consumed()).containsOnly(4L);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_severalResources_isOneTransaction(Style style) {
    AcquireRequest request = request(1).and("budget", "cents", 2);
    try (Caller caller = caller(style)) {
      caller.acquire(request);
      assertThat(bench.callsOf(Calls.any(), () -> caller.acquire(request)))
          .singleElement()
          .matches(Calls.transactions());
      assertThat(bench.consumed(key("a2", "budget"), "cents")).isEqualTo(4);
    }
  }

  /** The request's own word is stronger than the limiter's. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_saidWithTheRequest_isStronger(Style style) {
    try (Caller transactional = caller(style);
        Caller parallel = bench.caller(style)) {
      assertThat(
              bench.callsOf(
                  Calls.transactions(),
                  () -> transactional.acquire(request(1).consistency(Consistency.PARALLEL))))
          .isEmpty();
      assertThat(
              bench.callsOf(
                  Calls.transactions(),
                  () -> parallel.acquire(request(1).consistency(Consistency.TRANSACTIONAL))))
          .hasSize(1);
      assertThat(consumed()).containsOnly(2L);
    }
  }

  /** One bucket needs no transaction. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_oneBucket_isAnOrdinaryWrite(Style style) {
    try (Caller caller = caller(style)) {
      caller.acquire(request("single", 1));
      assertThat(bench.calls.roundTrips(Calls.transactions())).isZero();
      assertThat(bench.consumed("single")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_cold_takesThreeRounds(Style style) {
    bench.faults.always(Calls.any(), Rounds.of(2, 2, 1));
    try (Caller caller = caller(style)) {
      caller.acquire(request(1));
      assertThat(caller.metrics().created()).isEqualTo(3);
    }
    assertThat(consumed()).containsOnly(1L);
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_newProcess_takesThreeRounds(Style style) {
    try (Caller other = caller(style)) {
      other.acquire(request(1));
    }
    bench.faults.always(Calls.any(), Rounds.of(2, 2, 1));
    try (Caller caller = caller(style)) {
      caller.acquire(request(1));
    }
    assertThat(consumed()).containsOnly(2L);
  }

  /** One was made meanwhile by somebody else: that is noticed, and nothing is lost. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_bucketMadeMeanwhile_isPlannedAnew(Style style) {
    try (Caller caller = caller(style);
        Caller other = bench.caller(style)) {
      bench.faults.once(Calls.transactions(), Fault.before(() -> other.acquire(request("a1", 2))));
      caller.acquire(request(1));

      assertThat(consumed()).containsExactly(1L, 3L, 3L);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_othersWriteMeanwhile_isPlannedAnew(Style style) {
    try (Caller caller = caller(style);
        Caller other = bench.caller(style)) {
      caller.acquire(request(1));
      for (int i = 0; i < 3; i++) {
        bench.faults.once(
            Calls.transactions(), Fault.before(() -> other.acquire(request("a2", 1))));
      }
      bench.advance(2_000);
      caller.acquire(request(1));

      assertThat(bench.consumed(ENTITY)).isEqualTo(2);
      assertThat(bench.consumed("a2")).isBetween(3L, 5L);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_conflicts_areTriedAgainWithinBounds(Style style) {
    try (Caller caller = caller(style)) {
      caller.acquire(request(1));
      for (int i = 0; i < CommitProtocol.MAX_CONFLICTS; i++) {
        bench.faults.once(Calls.transactions(), Fault.conflict());
      }
      caller.acquire(request(1));
      assertThat(bench.faults.rulesLeft()).isZero();
      assertThat(consumed()).containsOnly(2L);

      bench.faults.always(Calls.transactions(), Fault.conflict());
      bench.calls.clear();
      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(1)))
          .satisfies(e -> assertThat(e.attributes()).containsEntry("mayBeCharged", false));
      assertThat(bench.calls.roundTrips()).isEqualTo(CommitProtocol.MAX_CONFLICTS + 1);
      assertThat(consumed()).containsOnly(2L);
    }
  }

  /** A transaction whose answer was lost is sent again, and is made once. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_answerLost_isChargedOnce(Style style) {
    try (Caller caller = caller(style)) {
      caller.acquire(request(1));
      bench.faults.once(Calls.transactions(), Fault.loseReply());
      caller.acquire(request(1));
      assertThat(consumed()).containsOnly(2L);

      bench.faults.once(Calls.transactions(), Fault.loseRequest());
      caller.acquire(request(1));
      assertThat(consumed()).containsOnly(3L);
      assertThat(caller.metrics().unknownOutcomes()).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_answerNeverComes_isUnavailableAndMayBeCharged(Style style) {
    try (Caller caller = caller(style)) {
      caller.acquire(request(1));
      bench.faults.always(Calls.transactions(), Fault.loseReply());

      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(5)))
          .satisfies(e -> assertThat(e.attributes()).containsEntry("mayBeCharged", true));

      assertThat(consumed()).containsOnly(6L);
      bench.faults.heal();
      caller.acquire(request(1));
      assertThat(consumed()).containsOnly(7L);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_storeAwayUnderAllow_isDegradedAndChargesNobody(Style style) {
    try (Caller caller = caller(style)) {
      caller.acquire(request(1));
      bench.faults.once(Calls.transactions(), Fault.unreachable());
      Lease lease = caller.acquire(request(5).onUnavailable(OnUnavailable.ALLOW));

      assertThat(lease.isDegraded()).isTrue();
      lease.adjust("rpm", 3);
      assertThat(bench.callsOf(Calls.any(), lease::close)).isEmpty();
      assertThat(consumed()).containsOnly(1L);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_switchedOff_isToldAndChargesNobody(Style style) {
    try (Caller caller = caller(style)) {
      caller.acquire(request(1));
      bench.directory.switchEntity("a1", false);
      bench.refresh("a1");

      assertThat(caller.tryAcquire(request(1)).disabled())
          .contains(new DisabledBucket("a1", RESOURCE));
      assertThat(consumed()).containsOnly(1L);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_behind_isLookedUpAnewAndChargedOnce(Style style) {
    bench.directory.add("new", "a2");
    try (Caller caller = caller(style)) {
      caller.acquire(request(1));
      bench.directory.move(ENTITY, "new");
      bench.directory.entity("a2", rpm(10));
      bench.refresh(ENTITY);
      bench.refresh("a2");

      caller.acquire(request(2));

      assertThat(bench.consumed(ENTITY)).isEqualTo(3);
      assertThat(bench.consumed("a1")).isEqualTo(1);
      assertThat(bench.consumed("new")).isEqualTo(2);
      assertThat(bench.consumed("a2")).isEqualTo(3);
      assertThat(bench.limit(key("a2"), "rpm").limit()).isEqualTo(rpm(10));
      assertThat(caller.metrics().outdated()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_processAhead_repairsInTheSameTransaction(Style style) {
    try (Caller caller = caller(style)) {
      caller.acquire(request(1));
      bench.directory.system(rpm(10), Limit.perMinute("cents", 50));
      caller.invalidate();
      assertThat(bench.callsOf(Calls.transactions(), () -> caller.acquire(request(2)))).hasSize(1);

      for (String entity : CHAIN) {
        assertThat(bench.limit(key(entity), "rpm").limit()).isEqualTo(rpm(10));
      }
      assertThat(consumed()).containsOnly(3L);
      assertThat(caller.metrics().reparameterised()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_entityDeletedAndMadeAnew_isNotLockedOut(Style style) {
    for (int i = 0; i < 10; i++) {
      bench.directory.entity("a1", rpm(50 + i));
    }
    try (Caller other = caller(style)) {
      other.acquire(request(1));
    }
    bench.directory.delete("a1");
    bench.directory.add("a1", "a2");
    bench.directory.entity("a1", rpm(5));
    try (Caller caller = caller(style)) {
      caller.acquire(request(1));
      assertThat(bench.limit(key("a1"), "rpm").limit()).isEqualTo(rpm(5));
      assertThat(consumed()).containsOnly(2L);
    }
  }

  /** Never made from what was looked up a while ago, in a transaction no more than by itself. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_bucketGoneAndLimitsChanged_isMadeWithTheNewOnes(Style style) {
    try (Caller caller = caller(style)) {
      caller.acquire(request(1));
      bench.memory.remove(key("a1"));
      bench.directory.entity("a1", rpm(5)); // there is no bucket that could be told
      bench.advance(30_000);

      caller.acquire(request(1));

      assertThat(bench.limit(key("a1"), "rpm").limit()).isEqualTo(rpm(5));
      assertThat(bench.consumed("a1")).isEqualTo(1);
      assertThat(bench.consumed("a2")).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void close_adjusted_settlesEachBucketByItself(Style style) {
    try (Caller caller = caller(style)) {
      Lease lease = caller.acquire(request(5));
      lease.release("rpm", 3);
      lease.consume("rpm", 1);
      assertThat(bench.writes(lease::close)).isEqualTo(3);

      assertThat(consumed()).containsOnly(3L);
      assertThat(bench.callsOf(Calls.any(), () -> caller.acquire(request(1)))).hasSize(1);
    }
  }

  /** No thread waits with a future: a timer looks at the clock. */
  @Test
  void acquire_futureWaitsForItsTurnLongerThanADecisionMayTake_isUnavailableAndNotCharged()
      throws Exception {
    Duration timeout = Duration.ofMillis(500);
    Gate gate = new Gate();
    try (Caller caller =
        bench.caller(
            Style.ASYNC, bench.options().consistency(Consistency.TRANSACTIONAL).timeout(timeout))) {
      caller.acquire(request(0)); // the buckets are known: the next call is a transaction
      bench.faults.once(Calls.transactions(), Fault.holdReply(gate));
      CompletableFuture<Lease> first = caller.begin(request(1));
      gate.awaitArrivals(1);
      CompletableFuture<Lease> early = caller.begin(request(1));
      bench.clock.advance(timeout);
      CompletableFuture<Lease> late = caller.begin(request(1));
      gate.open();

      Await.result(first);
      Await.result(late);
      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> Await.result(early))
          .satisfies(
              e ->
                  assertThat(e.attributes())
                      .containsEntry("failure", StoreFailure.Kind.TIMED_OUT)
                      .containsEntry("mayBeCharged", false));
      assertThat(consumed()).containsOnly(2L);
    }
  }
}
