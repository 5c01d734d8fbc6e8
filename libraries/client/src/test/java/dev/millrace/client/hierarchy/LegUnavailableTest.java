package dev.millrace.client.hierarchy;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.Consistency;
import dev.millrace.Lease;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The store answers for some of the buckets of a request and not for others. */
class LegUnavailableTest {
  private static final List<String> CHAIN = List.of(ENTITY, "a1", "a2");

  private final HierarchyBench bench = new HierarchyBench();

  @BeforeEach
  void entities() {
    bench.directory.chain(CHAIN.toArray(String[]::new));
    bench.directory.system(rpm(100));
  }

  static Stream<Arguments> legs() {
    List<Arguments> all = new ArrayList<>();
    for (Style style : Style.values()) {
      for (String leg : CHAIN) {
        all.add(Arguments.of(style, leg));
      }
    }
    return all.stream();
  }

  private static Predicate<StoreCall> writesOf(String entityId) {
    return call -> call instanceof StoreCall.Write write && write.key().entityId().equals(entityId);
  }

  private static Predicate<StoreCall> callsOf(String entityId) {
    return call ->
        writesOf(entityId).test(call)
            || (call instanceof StoreCall.Read read && read.key().entityId().equals(entityId));
  }

  private List<Long> consumed() {
    return CHAIN.stream().map(bench::consumed).toList();
  }

  @ParameterizedTest
  @MethodSource("legs")
  void acquire_oneUnreachableUnderBlock_theOthersAreGivenBack(Style style, String leg) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.faults.once(writesOf(leg), Fault.unreachable());

      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(5)))
          .satisfies(e -> assertThat(e.attributes()).containsEntry("mayBeCharged", false));

      assertThat(consumed()).containsOnly(1L);
      caller.acquire(request(1));
      assertThat(consumed()).containsOnly(2L);
    }
  }

  /** Nobody can say what became of that one: its charge, if there is one, stays. */
  @ParameterizedTest
  @MethodSource("legs")
  void acquire_oneAnswerLostUnderBlock_theOthersAreGivenBack(Style style, String leg) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.faults.once(writesOf(leg), Fault.loseReply());
      bench.faults.once(callsOf(leg), Fault.unreachable()); // looking what became of it

      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(5)))
          .satisfies(e -> assertThat(e.attributes()).containsEntry("mayBeCharged", true));

      for (String entity : CHAIN) {
        assertThat(bench.consumed(entity)).as(entity).isEqualTo(entity.equals(leg) ? 6 : 1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("legs")
  void acquire_oneAnswerLostButFoundAgain_isGranted(Style style, String leg) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.faults.once(writesOf(leg), Fault.loseReply());

      caller.acquire(request(5));

      assertThat(consumed()).containsOnly(6L);
    }
  }

  /** When giving back fails, the caller is told that something may be charged. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_givingBackFails_isTold(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.faults.once(writesOf("a1"), Fault.unreachable());
      bench.faults.once(writesOf("a2"), Fault.none());
      bench.faults.once(writesOf(ENTITY), Fault.none());
      bench.faults.always(Calls.writes(), Fault.unreachable());

      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(5)))
          .satisfies(e -> assertThat(e.attributes()).containsEntry("mayBeCharged", true));

      assertThat(consumed()).containsExactly(6L, 1L, 6L);
    }
  }

  /**
   * The bucket of a parent follows later limits, so the request is to be resolved again, and its
   * other legs are given back. That fails, and then there is no time left.
   */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_parentAheadAndGivingBackFails_isToldThatItMayBeCharged(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.entity("a1", rpm(50));
      bench.refresh("a1");
      bench.faults.once(writesOf(ENTITY), Fault.none());
      bench.faults.once(
          writesOf(ENTITY), Fault.before(() -> bench.advance(10_000)).and(Fault.unreachable()));

      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(5)))
          .satisfies(e -> assertThat(e.attributes()).containsEntry("mayBeCharged", true));

      assertThat(bench.consumed(ENTITY)).isEqualTo(6);
      Await.until(
          () -> {
            bench.advance(1_000);
            return bench.consumed(ENTITY) == 1;
          },
          "it is given back");
    }
  }

  /** What could not be given back at once goes with the next write, or with one of its own. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_givingBackFailsForAMoment_isMadeUpFor(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.faults.once(writesOf("a1"), Fault.unreachable());
      bench.faults.once(writesOf("a2"), Fault.none());
      bench.faults.once(writesOf(ENTITY), Fault.none());
      bench.faults.once(writesOf(ENTITY), Fault.unreachable());
      bench.faults.once(writesOf("a2"), Fault.unreachable());
      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(5)));
      assertThat(consumed()).containsExactly(6L, 1L, 6L);

      caller.acquire(request(ENTITY, 1));
      assertThat(consumed()).containsOnly(2L);
      assertThat(caller.metrics().settleFailures()).isZero();
    }
  }

  /** However often it fails, it is tried again, and written when the store is back. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_givingBackFailsAgainAndAgain_isGivenBackInTheEnd(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.faults.once(writesOf("a1"), Fault.unreachable());
      bench.faults.once(writesOf("a2"), Fault.none());
      bench.faults.once(writesOf(ENTITY), Fault.none());
      bench.faults.always(Calls.writes(), Fault.unreachable());
      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(5)));

      Await.until(() -> caller.metrics().settlementsPending() == 2, "both wait");
      for (int i = 0; i < 10; i++) {
        bench.advance(1_000);
      }
      assertThat(consumed()).containsExactly(6L, 1L, 6L);

      bench.faults.heal();

      Await.until(
          () -> {
            bench.advance(1_000);
            return consumed().equals(List.of(1L, 1L, 1L));
          },
          "both are given back");
      Await.until(() -> caller.metrics().settlementsPending() == 0, "none waits");
      assertThat(caller.metrics().settlementsGivenUp()).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("legs")
  void acquire_oneUnreachableUnderAllow_whatIsChargedStaysAndSettles(Style style, String leg) {
    try (Caller caller = bench.caller(style, bench.options().onUnavailable(OnUnavailable.ALLOW))) {
      caller.acquire(request(1));
      bench.faults.once(writesOf(leg), Fault.unreachable());

      Lease lease = caller.acquire(request(5));

      assertThat(lease.isDegraded()).isTrue();
      assertThat(lease.consumed("rpm")).isEqualTo(5);
      assertCharged(leg, 6);
      lease.adjust("rpm", 2);
      assertThat(bench.writes(lease::close)).isEqualTo(2);
      assertCharged(leg, 8);
    }
  }

  @ParameterizedTest
  @MethodSource("legs")
  void cancel_partlyChargedLease_givesBackWhatWasCharged(Style style, String leg) {
    try (Caller caller = bench.caller(style, bench.options().onUnavailable(OnUnavailable.ALLOW))) {
      caller.acquire(request(1));
      bench.faults.once(writesOf(leg), Fault.unreachable());
      Lease lease = caller.acquire(request(5));

      assertThat(bench.writes(lease::cancel)).isEqualTo(2);

      assertThat(consumed()).containsOnly(1L);
    }
  }

  private void assertCharged(String except, long tokens) {
    for (String entity : CHAIN) {
      assertThat(bench.consumed(entity)).as(entity).isEqualTo(entity.equals(except) ? 1 : tokens);
    }
  }

  /** One refuses and one does not answer: no is no, under whatever policy. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_oneRefusesAndOneIsAway_isRefused(Style style) {
    bench.directory.entity("a2", rpm(5));
    try (Caller caller = bench.caller(style, bench.options().onUnavailable(OnUnavailable.ALLOW));
        Caller other = bench.caller(style)) {
      caller.acquire(request(1));
      other.acquire(request(3));
      bench.faults.once(writesOf("a1"), Fault.unreachable());

      assertThat(caller.tryAcquire(request(3)).rejection())
          .hasValueSatisfying(
              rejection -> {
                assertThat(rejection.statuses()).hasSize(3);
                assertThat(rejection.primary().entityId()).isEqualTo("a2");
              });
      assertThat(consumed()).containsOnly(4L);
    }
  }

  /** A bug or a mistake in set-up reaches the caller, and the others are given back first. */
  @ParameterizedTest
  @MethodSource("legs")
  void acquire_oneBreaks_theOthersAreGivenBack(Style style, String leg) {
    IllegalStateException bug = new IllegalStateException("a bug");
    try (Caller caller = bench.caller(style, bench.options().onUnavailable(OnUnavailable.ALLOW))) {
      caller.acquire(request(1));
      bench.faults.once(writesOf(leg), Fault.raise(bug));

      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> caller.acquire(request(5)))
          .withMessage("a bug");

      assertThat(consumed()).containsOnly(1L);
      caller.acquire(request(1));
      assertThat(consumed()).containsOnly(2L);
    }
  }

  /** A process that dies in the middle leaves at most the charge of that one request behind. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_diesAfterTheFirstWrite_leavesAtMostThatRequestsCharge(Style style) {
    for (int survive = 0; survive <= CHAIN.size(); survive++) {
      List<Long> before = List.of();
      try (Caller caller = bench.caller(style)) {
        caller.acquire(request(1));
        before = consumed();
        dieAfter(survive);
        try {
          caller.acquire(request(5));
        } catch (LimiterUnavailableException e) {
          // it is dead: nobody hears this
        }
      }
      bench.faults.heal();
      List<Long> after = consumed();
      long left = 0;
      for (int i = 0; i < CHAIN.size(); i++) {
        assertThat(after.get(i) - before.get(i)).as(CHAIN.get(i)).isIn(0L, 5L);
        left += (after.get(i) - before.get(i)) / 5;
      }
      assertThat(left).isLessThanOrEqualTo(survive);
      try (Caller another = bench.caller(style)) {
        another.acquire(request(1));
      }
    }
  }

  /** In one transaction it leaves all or nothing. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_diesInATransaction_leavesNothingOrAll(Style style) {
    for (int survive = 0; survive <= 1; survive++) {
      try (Caller caller =
          bench.caller(style, bench.options().consistency(Consistency.TRANSACTIONAL))) {
        caller.acquire(request(1));
        List<Long> before = consumed();
        dieAfter(survive);
        try {
          caller.acquire(request(5));
        } catch (LimiterUnavailableException e) {
          // it is dead: nobody hears this
        }
        bench.faults.heal();
        long left = consumed().get(0) - before.get(0);
        assertThat(left).isEqualTo(survive * 5L);
        for (int i = 0; i < CHAIN.size(); i++) {
          assertThat(consumed().get(i) - before.get(i)).isEqualTo(left);
        }
      }
    }
  }

  private void dieAfter(int writes) {
    AtomicInteger left = new AtomicInteger(writes);
    AtomicBoolean dead = new AtomicBoolean(writes == 0);
    bench.faults.always(
        call -> dead.get() || (call.writes() && left.decrementAndGet() < 0 && die(dead)),
        Fault.unreachable());
  }

  private static boolean die(AtomicBoolean dead) {
    dead.set(true);
    return true;
  }

  /** Else it would be charged later beside the same request, when that comes again. */
  @Test
  void acquire_legQueuesBehindAWriteThatIsNotAnswered_isTakenBackFromTheQueue()
      throws InterruptedException {
    Gate gate = new Gate();
    try (Caller caller =
        bench.caller(Style.BLOCKING_ONLY, bench.options().timeout(Duration.ofMillis(200)))) {
      caller.acquire(request(1));
      bench.faults.once(writesOf("a1"), Fault.holdRequest(gate));
      CompletableFuture<Lease> held = caller.begin(request(1));
      gate.awaitArrivals(1);

      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(7)))
          .satisfies(e -> assertThat(e.attributes()).containsEntry("mayBeCharged", false));

      gate.open();
      Await.until(held::isDone, "the write that was held is answered");
      Await.until(() -> bench.consumed("a1") <= 2, "only what was held is charged");
      assertThat(bench.consumed(ENTITY)).isLessThanOrEqualTo(2);
    }
  }
}
