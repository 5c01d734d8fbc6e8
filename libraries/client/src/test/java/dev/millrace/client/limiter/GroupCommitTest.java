package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.RateLimitExceededException;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers of one process that share a write: the first one's is held until the others queue. */
class GroupCommitTest {
  private static final Duration TIMEOUT = Duration.ofMillis(500);

  private final Bench bench = new Bench();
  private final Gate gate = new Gate();

  /** Begins a call whose write is held back, so that whoever comes next has to queue. */
  private CompletableFuture<Lease> holdFirst(Caller caller, AcquireRequest request)
      throws InterruptedException {
    caller.acquire(Bench.rpm(0)); // the bucket is known: the next call is a write
    bench.faults.once(Calls.writes(), Fault.holdReply(gate));
    CompletableFuture<Lease> first = caller.begin(request);
    gate.awaitArrivals(1);
    return first;
  }

  private static List<CompletableFuture<Lease>> begin(Caller caller, int count, long amount) {
    List<CompletableFuture<Lease>> queued = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      queued.add(caller.begin(Bench.rpm(amount)));
    }
    return queued;
  }

  @ParameterizedTest
  @EnumSource
  void acquire_manyWhileAWriteIsUnderWay_shareTheNextOne(Style style) throws Exception {
    try (Caller caller = bench.caller(style)) {
      CompletableFuture<Lease> first = holdFirst(caller, Bench.rpm(1));
      int writes = bench.calls.roundTrips(Calls.writes());

      List<CompletableFuture<Lease>> queued = begin(caller, 8, 1);
      assertThat(bench.calls.roundTrips(Calls.writes())).isEqualTo(writes);
      gate.open();

      Await.result(first);
      for (CompletableFuture<Lease> each : queued) {
        assertThat(Await.result(each).consumed("rpm")).isEqualTo(1);
      }
      assertThat(bench.calls.roundTrips(Calls.writes())).isEqualTo(writes + 1);
      assertThat(bench.calls.roundTrips(Calls.reads())).isEqualTo(1);
      assertThat(bench.consumedMilli("rpm")).isEqualTo(9_000);
      assertThat(caller.metrics().admitted()).isEqualTo(10);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_moreThanThereIs_areAdmittedInTheOrderOfArrival(Style style) throws Exception {
    try (Caller caller = bench.caller(style)) {
      CompletableFuture<Lease> first = holdFirst(caller, Bench.rpm(1));
      int calls = bench.calls.roundTrips();
      List<CompletableFuture<Lease>> queued = begin(caller, 6, 2);
      gate.open();

      Await.result(first);
      for (CompletableFuture<Lease> admitted : queued.subList(0, 4)) {
        Await.result(admitted);
      }
      for (CompletableFuture<Lease> refused : queued.subList(4, 6)) {
        assertThatThrownBy(() -> Await.result(refused))
            .isInstanceOfSatisfying(
                RateLimitExceededException.class,
                e -> {
                  assertThat(e.rejection().primary().availableMilli()).isEqualTo(1_000);
                  assertThat(e.rejection().retryAfterMs()).isEqualTo(5_998);
                });
      }
      assertThat(bench.calls.roundTrips()).isEqualTo(calls + 1);
      assertThat(bench.consumedMilli("rpm")).isEqualTo(9_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_largeOneDoesNotFit_thoseBehindItStillMay(Style style) throws Exception {
    try (Caller caller = bench.caller(style)) {
      CompletableFuture<Lease> first = holdFirst(caller, Bench.rpm(1));
      CompletableFuture<Lease> large = caller.begin(Bench.rpm(10));
      CompletableFuture<Lease> small = caller.begin(Bench.rpm(9));
      gate.open();

      Await.result(first);
      Await.result(small);
      assertThatThrownBy(() -> Await.result(large)).isInstanceOf(RateLimitExceededException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_noneOfThoseQueuedFits_costsNoWrite(Style style) throws Exception {
    try (Caller caller = bench.caller(style)) {
      CompletableFuture<Lease> first = holdFirst(caller, Bench.rpm(10));
      int calls = bench.calls.roundTrips();
      List<CompletableFuture<Lease>> queued = begin(caller, 5, 1);
      gate.open();

      Await.result(first);
      for (CompletableFuture<Lease> each : queued) {
        assertThatThrownBy(() -> Await.result(each)).isInstanceOf(RateLimitExceededException.class);
      }
      assertThat(bench.calls.roundTrips()).isEqualTo(calls);
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_whileAWriteIsUnderWay_isFoldedIntoTheNextOne(Style style) throws Exception {
    try (Caller caller = bench.caller(style)) {
      Lease charged = caller.acquire(Bench.rpm(2));
      Lease refunded = caller.acquire(Bench.rpm(3));
      CompletableFuture<Lease> first = holdFirst(caller, Bench.rpm(1));
      int writes = bench.calls.roundTrips(Calls.writes());
      charged.adjust("rpm", 4);
      CompletableFuture<Integer> closing = inBackground(charged::close);
      CompletableFuture<Integer> cancelling = inBackground(refunded::cancel);
      CompletableFuture<Lease> acquiring = caller.begin(Bench.rpm(3));
      CompletableFuture<Lease> refused = caller.begin(Bench.rpm(1));
      gate.open();

      Await.result(first);
      Await.result(closing);
      Await.result(cancelling);
      Await.result(acquiring); // 10 − 2 − 3 − 1 − 4 + 3 = 3
      assertThatThrownBy(() -> Await.result(refused))
          .isInstanceOf(RateLimitExceededException.class);
      assertThat(bench.calls.roundTrips(Calls.writes())).isEqualTo(writes + 1);
      assertThat(bench.balanceMilli("rpm")).isZero();
      assertThat(bench.consumedMilli("rpm")).isEqualTo(10_000);
      assertThat(caller.metrics().settled()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_settlementsAlone_shareOneWriteThatNothingRefuses(Style style) throws Exception {
    try (Caller caller = bench.caller(style)) {
      Lease one = caller.acquire(Bench.rpm(4));
      Lease other = caller.acquire(Bench.rpm(5));
      CompletableFuture<Lease> first = holdFirst(caller, Bench.rpm(1));
      int writes = bench.calls.roundTrips(Calls.writes());
      one.adjust("rpm", 20);
      other.adjust("rpm", 30);
      CompletableFuture<Integer> closing = inBackground(one::close);
      CompletableFuture<Integer> closingOther = inBackground(other::close);
      gate.open();

      Await.result(first);
      Await.result(closing);
      Await.result(closingOther);
      assertThat(bench.calls.roundTrips(Calls.writes())).isEqualTo(writes + 1);
      assertThat(bench.balanceMilli("rpm")).isEqualTo(-50_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_otherLimits_leaveInAWriteOfTheirOwn(Style style) throws Exception {
    try (Caller caller = bench.caller(style)) {
      CompletableFuture<Lease> first = holdFirst(caller, Bench.rpm(1));
      int writes = bench.calls.roundTrips(Calls.writes());
      LimitSet raised = LimitSet.of(Limit.perMinute("rpm", 100), Bench.TPM);
      List<CompletableFuture<Lease>> queued = new ArrayList<>(begin(caller, 2, 1));
      queued.add(caller.begin(Bench.request(raised).consume("rpm", 1)));
      queued.add(caller.begin(Bench.request(raised).consume("rpm", 1)));
      gate.open();

      Await.result(first);
      queued.forEach(Await::result);
      assertThat(bench.calls.roundTrips(Calls.writes())).isEqualTo(writes + 2);
      assertThat(bench.limit("rpm").limit()).isEqualTo(raised.get(0));
      assertThat(bench.consumedMilli("rpm")).isEqualTo(5_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_otherBucket_doesNotQueue(Style style) throws Exception {
    try (Caller caller = bench.caller(style)) {
      CompletableFuture<Lease> first = holdFirst(caller, Bench.rpm(1));

      caller.acquire(AcquireRequest.of("key-43", "gpt-4").limits(Bench.RPM).consume("rpm", 1));

      assertThat(first).isNotDone();
      gate.open();
      Await.result(first);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_groupingOff_writesEachForItself(Style style) throws Exception {
    try (Caller caller = bench.caller(style, bench.options().grouping(false))) {
      CompletableFuture<Lease> first = holdFirst(caller, Bench.rpm(1));

      caller.acquire(Bench.rpm(2));

      assertThat(first).isNotDone();
      gate.open();
      Await.result(first);
      assertThat(bench.consumedMilli("rpm")).isEqualTo(3_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_lostLock_isDecidedAgainForAllOfThem(Style style) throws Exception {
    try (Caller caller = bench.caller(style);
        Caller other = bench.caller(style)) {
      CompletableFuture<Lease> first = holdFirst(caller, Bench.rpm(1));
      List<CompletableFuture<Lease>> queued = begin(caller, 3, 2);
      bench.faults.once(Calls.writes(), Fault.before(() -> other.acquire(Bench.rpm(5))));
      gate.open();

      Await.result(first);
      Await.result(queued.get(0));
      Await.result(queued.get(1));
      assertThatThrownBy(() -> Await.result(queued.get(2)))
          .isInstanceOf(RateLimitExceededException.class);
      assertThat(bench.balanceMilli("rpm")).isZero();
      assertThat(bench.consumedMilli("rpm")).isEqualTo(10_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_storeFails_reachesEveryMember(Style style) throws Exception {
    try (Caller caller = bench.caller(style)) {
      CompletableFuture<Lease> first = holdFirst(caller, Bench.rpm(1));
      List<CompletableFuture<Lease>> queued = begin(caller, 3, 1);
      queued.add(caller.begin(Bench.rpm(1).onUnavailable(OnUnavailable.ALLOW)));
      bench.faults.once(Calls.writes(), Fault.unreachable());
      gate.open();

      Await.result(first);
      for (CompletableFuture<Lease> each : queued.subList(0, 3)) {
        assertThatThrownBy(() -> Await.result(each))
            .isInstanceOfSatisfying(
                LimiterUnavailableException.class,
                e ->
                    assertThat(e.attributes())
                        .containsEntry("failure", StoreFailure.Kind.UNREACHABLE));
      }
      assertThat(Await.result(queued.get(3)).isDegraded()).isTrue();
      assertThat(bench.consumedMilli("rpm")).isEqualTo(1_000);
      caller.acquire(Bench.rpm(1));
      assertThat(bench.consumedMilli("rpm")).as("the channel works").isEqualTo(2_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_mistakeInSetUp_reachesEveryMemberAndTheChannelWorksAfterwards(Style style)
      throws Exception {
    try (Caller caller = bench.caller(style, bench.options().onUnavailable(OnUnavailable.ALLOW))) {
      CompletableFuture<Lease> first = holdFirst(caller, Bench.rpm(1));
      List<CompletableFuture<Lease>> queued = begin(caller, 4, 1);
      RuntimeException denied = new LimiterConfigurationException("denied", Map.of(), null);
      bench.faults.once(Calls.writes(), Fault.raise(denied));
      gate.open();

      Await.result(first);
      for (CompletableFuture<Lease> each : queued) {
        assertThatThrownBy(() -> Await.result(each)).isSameAs(denied);
      }
      List<CompletableFuture<Lease>> later = begin(caller, 3, 1);
      later.forEach(Await::result);
      assertThat(bench.consumedMilli("rpm")).isEqualTo(4_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_replyLostAndFoundAgain_isAdmittedForEveryMember(Style style) throws Exception {
    try (Caller caller = bench.caller(style)) {
      CompletableFuture<Lease> first = holdFirst(caller, Bench.rpm(1));
      List<CompletableFuture<Lease>> queued = begin(caller, 3, 1);
      bench.faults.once(Calls.writes(), Fault.loseReply());
      gate.open();

      Await.result(first);
      queued.forEach(Await::result);
      assertThat(bench.consumedMilli("rpm")).isEqualTo(4_000);
      assertThat(caller.metrics().unknownOutcomes()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_queueIsFull_isUnavailableAndCounted(Style style) throws Exception {
    try (Caller caller = bench.caller(style, bench.options().maxQueued(2))) {
      CompletableFuture<Lease> first = holdFirst(caller, Bench.rpm(1));
      List<CompletableFuture<Lease>> queued = begin(caller, 2, 1);

      assertThatThrownBy(() -> caller.acquire(Bench.rpm(1)))
          .isInstanceOfSatisfying(
              LimiterUnavailableException.class,
              e ->
                  assertThat(e.attributes())
                      .containsEntry("failure", StoreFailure.Kind.BUSY)
                      .containsEntry("mayBeCharged", false));
      assertThat(caller.acquire(Bench.rpm(1).onUnavailable(OnUnavailable.ALLOW)).isDegraded())
          .isTrue();
      assertThat(caller.metrics().queuesFull()).isEqualTo(2);
      gate.open();

      Await.result(first);
      queued.forEach(Await::result);
      caller.acquire(Bench.rpm(1));
      assertThat(bench.consumedMilli("rpm")).isEqualTo(4_000);
    }
  }

  @Test
  void acquire_futureWaitsForItsTurnLongerThanADecisionMayTake_isUnavailableAndNotCharged()
      throws Exception {
    try (Caller caller = bench.caller(Style.ASYNC, bench.options().timeout(TIMEOUT))) {
      Lease held = caller.acquire(Bench.rpm(2));
      CompletableFuture<Lease> first = holdFirst(caller, Bench.rpm(1));
      List<CompletableFuture<Lease>> early = begin(caller, 2, 1);
      CompletableFuture<Integer> settled = inBackground(held::cancel);
      bench.clock.advance(TIMEOUT);
      CompletableFuture<Lease> late = caller.begin(Bench.rpm(1));
      gate.open();

      Await.result(first);
      Await.result(late);
      Await.result(settled);
      for (CompletableFuture<Lease> each : early) {
        assertThatThrownBy(() -> Await.result(each))
            .isInstanceOfSatisfying(
                LimiterUnavailableException.class,
                e ->
                    assertThat(e.attributes())
                        .containsEntry("failure", StoreFailure.Kind.TIMED_OUT)
                        .containsEntry("mayBeCharged", false));
      }
      assertThat(bench.consumedMilli("rpm")).isEqualTo(2_000);
    }
  }

  private static CompletableFuture<Integer> inBackground(Runnable action) {
    return Background.begin(
            () -> {
              action.run();
              return 0;
            })
        .result();
  }
}
