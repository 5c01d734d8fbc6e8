package dev.millrace.client.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.LeaseState;
import dev.millrace.Limit;
import dev.millrace.LimiterEvent;
import dev.millrace.LimiterListener;
import dev.millrace.LimiterOptions;
import dev.millrace.OnUnavailable;
import dev.millrace.Settlement;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a call has cost is written down in the end, whatever happens to its writes. */
class LostSettlementTest {
  private static final Predicate<StoreCall> READS_OF_BUCKETS = StoreCall.Read.class::isInstance;

  private final Bench bench = new Bench();

  private static AcquireRequest tpm(long amount) {
    return Bench.request().consume("tpm", amount);
  }

  private long consumed() {
    return bench.consumedMilli("tpm") / Limit.MILLI;
  }

  private void awaitConsumed(long tokens) {
    Await.until(
        () -> {
          bench.advance(1_000);
          return consumed() == tokens;
        },
        tokens + " are consumed");
  }

  private void awaitFailures(Caller caller, int count) {
    Await.until(
        () -> {
          bench.advance(1_000);
          return caller.metrics().settlementsPostponed() >= count;
        },
        count + " writes have failed");
  }

  private LimiterOptions.Builder deferred() {
    return bench.options().settlement(Settlement.DEFERRED);
  }

  /** Close has said that it is settled; before, the first throttled write lost the true cost. */
  @ParameterizedTest
  @EnumSource
  void deferredCharge_writesThrottled_isWrittenInTheEnd(Style style) {
    try (Caller caller = bench.caller(style, deferred())) {
      Lease lease = caller.acquire(tpm(101));
      lease.adjust("tpm", 50_000);
      lease.close();
      bench.faults.always(Calls.writes(), Fault.throttle());
      awaitFailures(caller, 5);
      assertThat(consumed()).isEqualTo(101);

      bench.faults.heal();

      awaitConsumed(50_101);
      assertThat(caller.metrics().settlementsGivenUp()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void deferredCharge_nextAcquireComes_leavesWithItsWrite(Style style) {
    try (Caller caller = bench.caller(style, deferred())) {
      Lease lease = caller.acquire(tpm(10));
      lease.adjust("tpm", 5);
      bench.faults.once(Calls.writes(), Fault.unreachable());
      lease.close();
      bench.advance(1_000);
      Await.until(() -> caller.metrics().settlementsPostponed() == 1, "its write has failed");
      int before = bench.calls.roundTrips(Calls.writes());

      caller.acquire(tpm(1));

      assertThat(bench.calls.roundTrips(Calls.writes())).isEqualTo(before + 1);
      assertThat(consumed()).isEqualTo(16);
    }
  }

  /** The limits of a bucket have changed meanwhile: neither amount is forgotten for the other. */
  @ParameterizedTest
  @EnumSource
  void deferredCharges_ofDifferentLimits_areAllWritten(Style style) {
    try (Caller caller = bench.caller(style, deferred())) {
      Lease lease = caller.acquire(tpm(10));
      lease.adjust("tpm", 5);
      lease.close();
      AcquireRequest other =
          AcquireRequest.of(Bench.KEY.entityId(), Bench.KEY.resource())
              .limits(Limit.perMinute("tpm", 2_000))
              .consume("tpm", 10);
      Lease changed = caller.acquire(other);
      changed.adjust("tpm", 2);
      bench.faults.once(Calls.writes(), Fault.throttle());
      changed.close();

      awaitConsumed(27);
    }
  }

  /**
   * The database is frozen, so that neither the write nor the read after it is answered, and then
   * killed, so that it was never made.
   */
  @ParameterizedTest
  @EnumSource
  void charge_databaseFrozenThenKilled_isChargedInTheEnd(Style style) {
    try (Caller caller = bench.caller(style, bench.options().onUnavailable(OnUnavailable.ALLOW))) {
      Lease lease = caller.acquire(tpm(10));
      lease.adjust("tpm", 500);
      bench.faults.once(Calls.writes(), Fault.loseRequest());
      bench.faults.always(Calls.any(), Fault.unreachable());

      lease.close();

      assertThat(lease.state()).isEqualTo(LeaseState.SETTLED);
      assertThat(lease.isPostponed()).isTrue();
      lease.close();
      assertThat(consumed()).isEqualTo(10);
      bench.faults.heal();
      awaitConsumed(510);
      assertThat(bench.balanceMilli("tpm")).isLessThan(500_000);
    }
  }

  /** It had been made before the database was killed: the bucket shows the id of the write. */
  @ParameterizedTest
  @EnumSource
  void charge_madeAndNobodyWasTold_isNotChargedAgain(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(tpm(10));
      lease.adjust("tpm", 500);
      bench.faults.once(Calls.writes(), Fault.loseReply());
      bench.faults.once(READS_OF_BUCKETS, Fault.unreachable());
      bench.faults.once(READS_OF_BUCKETS, Fault.unreachable());

      lease.close();

      Await.until(
          () -> {
            bench.advance(1_000);
            return caller.metrics().settled() == 1;
          },
          "it is known to be written");
      assertThat(consumed()).isEqualTo(510);
      assertThat(caller.metrics().settlementsPending()).isZero();
    }
  }

  /** However many answers are lost, a charge is there at most once too often. */
  @ParameterizedTest
  @EnumSource
  void charge_everyAnswerLostButTheLast_isChargedAtMostOnceTooOften(Style style) {
    try (Caller caller = bench.caller(style);
        Caller other = bench.caller(style)) {
      Lease lease = caller.acquire(tpm(10));
      lease.adjust("tpm", 500);
      bench.faults.once(
          Calls.writes(), Fault.after(() -> other.acquire(tpm(1))).and(Fault.loseReply()));
      for (int i = 0; i < 2; i++) {
        bench.faults.once(call -> call instanceof StoreCall.Write, Fault.none()); // the other's
      }
      bench.faults.always(
          call -> call instanceof StoreCall.Transaction && lostAnswers-- > 0, Fault.loseReply());

      lease.close();

      Await.until(
          () -> {
            bench.advance(1_000);
            return caller.metrics().settled() == 1;
          },
          "it is known to be written");
      assertThat(lostAnswers).isLessThan(0);
      assertThat(consumed()).isBetween(511L, 1_011L);
    }
  }

  private int lostAnswers = 8;

  /** A bucket may have been refilled since: what is given back twice would be made of nothing. */
  @ParameterizedTest
  @EnumSource
  void refund_mayBeWritten_isNeverWrittenAgain(Style style) {
    try (Caller caller = bench.caller(style, deferred())) {
      Lease lease = caller.acquire(tpm(100));
      lease.release("tpm", 40);
      lease.close();
      bench.faults.once(Calls.writes(), Fault.loseReply());
      bench.faults.once(READS_OF_BUCKETS, Fault.unreachable());

      Await.until(
          () -> {
            bench.advance(1_000);
            return caller.metrics().settlementsGivenUp() == 1;
          },
          "it is given up");

      bench.advance(60_000);
      assertThat(consumed()).isEqualTo(60);
      assertThat(caller.metrics().settlementsPending()).isZero();
    }
  }

  /** The store is away, so nothing is asked; when it is back, what waits is written at once. */
  @ParameterizedTest
  @EnumSource
  void charges_storeIsBack_areWrittenWithoutWaitingForTheBackOff(Style style) {
    List<Long> backs = new ArrayList<>();
    LimiterListener listener =
        event -> {
          if (event instanceof LimiterEvent.StoreAvailability back && back.available()) {
            backs.add(back.awayFor().toMillis());
          }
        };
    try (Caller caller = bench.caller(style, bench.options().listener(listener))) {
      Lease lease = caller.acquire(tpm(10));
      lease.adjust("tpm", 500);
      bench.faults.always(Calls.any(), Fault.unreachable());
      lease.close();
      awaitFailures(caller, 12); // the back-off is at its longest
      bench.faults.heal();

      Await.until(
          () -> {
            bench.advance(10);
            return !backs.isEmpty();
          },
          "the store is found to be back");

      Await.until(() -> consumed() == 510, "it is written at that moment");
    }
  }

  /** The bound: an hour in which every write of the bucket has failed. */
  @ParameterizedTest
  @EnumSource
  void charge_writesFailForAnHour_isGivenUpCountedAndTold(Style style) {
    List<String> told = new ArrayList<>();
    LimiterListener listener =
        event -> {
          if (event instanceof LimiterEvent.SettlementProgress lost
              && lost.state() == LimiterEvent.SettlementProgress.State.GIVEN_UP) {
            told.add(lost.bucket().entityId() + " " + lost.amounts() + " " + lost.failure());
          }
        };
    try (Caller caller = bench.caller(style, bench.options().listener(listener))) {
      Lease lease = caller.acquire(tpm(10));
      lease.adjust("tpm", 500);
      bench.faults.always(Calls.writes(), Fault.throttle());
      lease.close();
      long before = bench.clock.nowMs();
      Await.until(
          () -> {
            bench.advance(10_000);
            return caller.metrics().settlementsGivenUp() == 1;
          },
          "it is given up");

      assertThat(bench.clock.nowMs() - before).isGreaterThan(3_600_000);
      assertThat(told).containsExactly("key-42 tpm=500 THROTTLED");
      assertThat(caller.metrics().settlementsPending()).isZero();
    }
  }

  /** A bug in the store must not be retried for ever, and not be silent either. */
  @ParameterizedTest
  @EnumSource
  void deferredCharge_storeThrows_isGivenUpCountedAndTold(Style style) {
    try (Caller caller = bench.caller(style, deferred())) {
      Lease lease = caller.acquire(tpm(10));
      lease.adjust("tpm", 500);
      lease.close();
      bench.faults.once(Calls.writes(), Fault.raise(new IllegalStateException("a bug")));

      Await.until(
          () -> {
            bench.advance(1_000);
            return caller.metrics().settlementsGivenUp() == 1;
          },
          "it is given up");
      assertThat(caller.metrics().settlementsPending()).isZero();
    }
  }
}
