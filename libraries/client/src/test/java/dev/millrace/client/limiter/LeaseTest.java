package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Lease;
import dev.millrace.LeaseState;
import dev.millrace.Limit;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.RateLimitExceededException;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lease from its grant to its end. */
class LeaseTest {
  private final Bench bench = new Bench();

  @ParameterizedTest
  @EnumSource
  void consume_fits_isChargedAtOnce(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));

      lease.consume("rpm", 3);
      lease.consume("tpm", 10);

      assertThat(lease.consumed("rpm")).isEqualTo(7);
      assertThat(lease.consumed("tpm")).isEqualTo(10);
      assertThat(bench.balanceMilli("rpm")).isEqualTo(3_000);
      assertThat(bench.consumedMilli("tpm")).isEqualTo(10_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void consume_doesNotFit_isRefusedAndChangesNothing(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));

      assertThatThrownBy(() -> lease.consume("rpm", 7))
          .isInstanceOfSatisfying(
              RateLimitExceededException.class,
              e -> assertThat(e.rejection().primary().availableMilli()).isEqualTo(6_000));

      assertThat(lease.consumed("rpm")).isEqualTo(4);
      assertThat(lease.state()).isEqualTo(LeaseState.OPEN);
      assertThat(bench.balanceMilli("rpm")).isEqualTo(6_000);
      assertThat(caller.metrics().refused()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void consume_badAmountOrLimit_isNotSent(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));
      int before = bench.calls.roundTrips();

      assertThatThrownBy(() -> lease.consume("rpm", -1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("-1");
      assertThatThrownBy(() -> lease.consume("rps", 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'rps'");
      assertThat(bench.calls.roundTrips()).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_nothingAdjusted_makesNoCall(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));

      assertThat(bench.roundTrips(lease::close)).isZero();

      assertThat(lease.state()).isEqualTo(LeaseState.SETTLED);
      assertThat(bench.balanceMilli("rpm")).isEqualTo(6_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_adjustsThatCancelOut_makesNoCall(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));
      lease.adjust("rpm", 3);
      lease.release("rpm", 3);

      assertThat(bench.roundTrips(lease::close)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_adjustedUp_chargesTheDifferenceBelowZero(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4).consume("tpm", 100));
      lease.adjust("rpm", 8);
      assertThat(lease.consumed("rpm")).isEqualTo(12);
      assertThat(bench.balanceMilli("rpm")).as("written at the end").isEqualTo(6_000);

      assertThat(bench.roundTrips(lease::close)).isEqualTo(1);

      assertThat(bench.balanceMilli("rpm")).isEqualTo(-2_000);
      assertThat(bench.consumedMilli("rpm")).isEqualTo(12_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_adjustedDown_givesTheDifferenceBack(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4).consume("tpm", 500));
      lease.adjust("tpm", -499);
      lease.release("rpm", 4);

      assertThat(bench.roundTrips(lease::close)).isEqualTo(1);

      assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
      assertThat(bench.consumedMilli("tpm")).isEqualTo(1_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void release_moreThanTaken_isRefused(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));
      lease.adjust("rpm", 2);

      for (ThrowingCallable call :
          new ThrowingCallable[] {
            () -> lease.release("rpm", 7),
            () -> lease.adjust("rpm", -7),
            () -> lease.release("tpm", 1)
          }) {
        assertThatThrownBy(call)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("no more can be given back than was taken");
      }
      assertThat(lease.consumed("rpm")).isEqualTo(6);
      lease.release("rpm", 6);
      lease.close();
      assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void adjust_badAmountOrLimit_isRefused(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));
      for (ThrowingCallable call :
          new ThrowingCallable[] {
            () -> lease.release("rpm", -1),
            () -> lease.release("rpm", Long.MIN_VALUE),
            () -> lease.adjust("rps", 1),
            () -> lease.adjust("rpm", Limit.MAX_TOKENS + 1),
            () -> lease.adjust("rpm", Long.MIN_VALUE),
            () -> lease.adjust("rpm", Long.MAX_VALUE)
          }) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
      }
      assertThat(bench.roundTrips(lease::close)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancel_afterConsumeAndAdjust_givesBackWhatWasCharged(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4).consume("tpm", 100));
      lease.consume("rpm", 2);
      lease.adjust("rpm", 5);

      assertThat(bench.roundTrips(lease::cancel)).isEqualTo(1);

      assertThat(lease.state()).isEqualTo(LeaseState.CANCELLED);
      assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
      assertThat(bench.consumedMilli("rpm")).isZero();
      assertThat(bench.consumedMilli("tpm")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_again_doesNothing(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));
      lease.adjust("rpm", 1);
      lease.close();

      assertThat(bench.roundTrips(lease::close)).isZero();
      assertThat(bench.roundTrips(lease::cancel)).isZero();
      assertThat(lease.state()).isEqualTo(LeaseState.SETTLED);
      assertThat(bench.balanceMilli("rpm")).isEqualTo(5_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancel_again_doesNothing(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));
      lease.cancel();

      assertThat(bench.roundTrips(lease::cancel)).isZero();
      assertThat(bench.roundTrips(lease::close)).isZero();
      assertThat(lease.state()).isEqualTo(LeaseState.CANCELLED);
      assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anything_afterTheEnd_isRefused(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease closed = caller.acquire(Bench.rpm(1));
      closed.close();
      Lease cancelled = caller.acquire(Bench.rpm(1));
      cancelled.cancel();

      for (Lease lease : new Lease[] {closed, cancelled}) {
        for (ThrowingCallable call :
            new ThrowingCallable[] {
              () -> lease.consume("rpm", 1),
              () -> lease.adjust("rpm", 1),
              () -> lease.release("rpm", 1)
            }) {
          assertThatThrownBy(call)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining(lease.state().toString());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void consume_cancelledWhileUnderWay_isGivenBack(Style style) throws Exception {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));
      Gate gate = new Gate();
      bench.faults.once(Calls.writes(), Fault.holdReply(gate));
      CompletableFuture<Integer> consuming = inBackground(() -> lease.consume("rpm", 3));
      gate.awaitArrivals(1);
      CompletableFuture<Integer> cancelling = inBackground(lease::cancel);

      gate.open();
      Await.result(consuming);
      Await.result(cancelling);

      assertThat(lease.state()).isEqualTo(LeaseState.CANCELLED);
      assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
      assertThat(bench.consumedMilli("rpm")).isZero();
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

  /** The caller could do nothing but try again: the limiter does, and the lease has ended. */
  @ParameterizedTest
  @EnumSource
  void close_surelyNotWritten_isTakenOver(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));
      lease.adjust("rpm", 2);
      bench.faults.once(Calls.writes(), Fault.unreachable());

      lease.close();

      assertThat(lease.state()).isEqualTo(LeaseState.SETTLED);
      assertThat(lease.isPostponed()).isTrue();
      assertThat(bench.balanceMilli("rpm")).isEqualTo(6_000);
      assertThat(caller.metrics().settlementsPending()).isEqualTo(1);
      assertThat(caller.metrics().settleFailures()).isZero();
      bench.advance(1_000);
      Await.until(() -> caller.metrics().settled() == 1, "it is written");
      assertThat(bench.consumedMilli("rpm")).isEqualTo(6_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancel_surelyNotWritten_isTakenOver(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));
      bench.faults.once(Calls.writes(), Fault.unreachable());

      lease.cancel();

      assertThat(lease.state()).isEqualTo(LeaseState.CANCELLED);
      bench.advance(1_000);
      Await.until(() -> bench.consumedMilli("rpm") == 0, "it is given back");
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_written_isNotPostponed(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));
      lease.adjust("rpm", 2);
      lease.close();

      assertThat(lease.isPostponed()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_surelyNotWrittenAndTheLimiterIsClosed_canBeTriedAgain(Style style) {
    Caller caller = bench.caller(style);
    Lease lease = caller.acquire(Bench.rpm(4));
    lease.adjust("rpm", 2);
    caller.close();
    bench.faults.once(Calls.writes(), Fault.unreachable());

    assertThatThrownBy(lease::close).isInstanceOf(LimiterUnavailableException.class);
    assertThat(lease.state()).isEqualTo(LeaseState.OPEN);
    lease.close();

    assertThat(lease.state()).isEqualTo(LeaseState.SETTLED);
    assertThat(bench.consumedMilli("rpm")).isEqualTo(6_000);
    assertThat(caller.metrics().settleFailures()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void close_storeAwayUnderAllow_isTakenOver(Style style) {
    try (Caller caller = bench.caller(style, bench.options().onUnavailable(OnUnavailable.ALLOW))) {
      Lease lease = caller.acquire(Bench.rpm(4));
      lease.adjust("rpm", 2);
      bench.faults.once(Calls.writes(), Fault.unreachable());

      lease.close();

      assertThat(caller.metrics().settlementsPostponed()).isEqualTo(1);
      bench.advance(1_000);
      Await.until(() -> bench.consumedMilli("rpm") == 6_000, "it is written");
    }
  }

  /** Ten times the most that a limit may hold is more than a long counts in millitokens. */
  @ParameterizedTest
  @EnumSource
  void adjust_beyondWhatALeaseCanStandFor_isRefusedBeforeAnythingChanges(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));
      for (int i = 0; i < 3; i++) {
        lease.adjust("rpm", Limit.MAX_TOKENS);
      }
      long before = lease.consumed("rpm");

      assertThatIllegalArgumentException()
          .isThrownBy(() -> lease.adjust("rpm", Limit.MAX_TOKENS))
          .withMessage(
              "limit 'rpm': adjustment 1000000000000000 would make the lease stand for more than"
                  + " 4000000000000000 tokens, the most that a lease can");
      assertThat(lease.consumed("rpm")).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancel_storeAwayUnderBlock_throws(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));
      bench.faults.once(Calls.writes(), Fault.loseRequest());

      assertThatThrownBy(lease::cancel)
          .isInstanceOfSatisfying(
              LimiterUnavailableException.class,
              e -> assertThat(e.attributes()).containsEntry("mayBeCharged", true));
    }
  }
}
