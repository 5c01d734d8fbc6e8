package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Lease;
import dev.millrace.LeaseState;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.LimiterEvent;
import dev.millrace.LimiterListener;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What callers get while the store is away. */
class UnavailableTest {
  private final Bench bench = new Bench();

  private Caller allowing(Style style) {
    return bench.caller(style, bench.options().onUnavailable(OnUnavailable.ALLOW));
  }

  @ParameterizedTest
  @EnumSource
  void acquire_storeAwayUnderBlock_throwsWithWhatHappened(Style style) {
    try (Caller caller = bench.caller(style)) {
      bench.faults.always(Calls.any(), Fault.unreachable());

      assertThatThrownBy(() -> caller.acquire(Bench.rpm(1)))
          .isInstanceOfSatisfying(
              LimiterUnavailableException.class,
              e -> {
                assertThat(e.summary()).isEqualTo("the store did not answer");
                assertThat(e.attributes())
                    .containsEntry("bucket", Bench.KEY)
                    .containsEntry("failure", StoreFailure.Kind.UNREACHABLE)
                    .containsEntry("mayBeCharged", false);
              });
      assertThatThrownBy(() -> caller.tryAcquire(Bench.rpm(1)))
          .isInstanceOf(LimiterUnavailableException.class);
      assertThat(caller.metrics().blocked()).isEqualTo(2);
      assertThat(caller.metrics().degraded()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_storeAwayUnderAllow_grantsADegradedLeaseThatWritesNothing(Style style) {
    try (Caller caller = allowing(style)) {
      bench.faults.once(Calls.lookups(), Fault.unreachable());

      Lease lease = caller.acquire(Bench.rpm(50));
      assertThat(lease.isDegraded()).isTrue();
      assertThat(lease.consumed("rpm")).isEqualTo(50);
      int trips =
          bench.roundTrips(
              () -> {
                lease.consume("tpm", 5_000);
                lease.adjust("rpm", 3);
                lease.release("rpm", 53);
                lease.close();
              });

      assertThat(trips).isZero();
      assertThat(bench.memory.size()).isZero();
      assertThat(lease.state()).isEqualTo(LeaseState.SETTLED);
      assertThat(caller.metrics().degraded()).isEqualTo(1);
      assertThat(caller.metrics().admitted()).isZero();
      assertThat(caller.metrics().blocked()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancel_degradedLease_givesNothingBack(Style style) {
    try (Caller caller = allowing(style)) {
      caller.acquire(Bench.rpm(5));
      bench.faults.once(Calls.any(), Fault.unreachable());
      Lease lease = caller.acquire(Bench.rpm(5));

      assertThat(bench.roundTrips(lease::cancel)).isZero();
      assertThat(bench.balanceMilli("rpm")).isEqualTo(5_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void call_degraded_runsTheBody(Style style) {
    try (Caller caller = allowing(style)) {
      bench.faults.once(Calls.lookups(), Fault.unreachable());

      assertThat(caller.<Boolean>call(Bench.rpm(5), lease -> lease.isDegraded())).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_policyOfTheRequest_isStrongerThanTheLimiters(Style style) {
    try (Caller blocking = bench.caller(style);
        Caller allowing = allowing(style)) {
      bench.faults.always(Calls.any(), Fault.unreachable());

      assertThat(blocking.acquire(Bench.rpm(1).onUnavailable(OnUnavailable.ALLOW)).isDegraded())
          .isTrue();
      assertThatThrownBy(() -> allowing.acquire(Bench.rpm(1).onUnavailable(OnUnavailable.BLOCK)))
          .isInstanceOf(LimiterUnavailableException.class);
      assertThat(blocking.metrics().degraded()).isEqualTo(1);
      assertThat(allowing.metrics().blocked()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void consume_storeAwayUnderAllow_degradesTheLeaseAndKeepsItsCharge(Style style) {
    try (Caller caller = allowing(style)) {
      Lease lease = caller.acquire(Bench.rpm(2));
      bench.faults.once(Calls.any(), Fault.unreachable());
      lease.consume("rpm", 3);

      assertThat(lease.isDegraded()).isTrue();
      assertThat(lease.consumed("rpm")).isEqualTo(5);
      lease.release("rpm", 5);
      lease.close();

      assertThat(bench.balanceMilli("rpm")).as("what was charged, no more").isEqualTo(10_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void consume_storeAwayUnderBlock_throwsAndKeepsTheLease(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(2));
      bench.faults.once(Calls.any(), Fault.unreachable());

      assertThatThrownBy(() -> lease.consume("rpm", 3))
          .isInstanceOf(LimiterUnavailableException.class);
      assertThat(lease.consumed("rpm")).isEqualTo(2);
      lease.cancel();
      assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_replyLostAndFoundAgain_isAdmittedOnce(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(1));
      bench.faults.once(Calls.writes(), Fault.loseReply());

      Lease lease = caller.acquire(Bench.rpm(2));

      assertThat(lease.isDegraded()).isFalse();
      assertThat(bench.consumedMilli("rpm")).isEqualTo(3_000);
      assertThat(caller.metrics().unknownOutcomes()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_replyLostAndOverwritten_isNotAdmitted(Style style) {
    try (Caller caller = bench.caller(style);
        Caller other = bench.caller(style)) {
      caller.acquire(Bench.rpm(1));
      other.acquire(Bench.rpm(1));
      bench.faults.once(
          Calls.writes(), Fault.loseReply().and(Fault.after(() -> other.acquire(Bench.rpm(1)))));

      assertThatThrownBy(() -> caller.acquire(Bench.rpm(2)))
          .isInstanceOfSatisfying(
              LimiterUnavailableException.class,
              e -> assertThat(e.attributes()).containsEntry("mayBeCharged", true));
      assertThat(bench.consumedMilli("rpm")).as("the charge stays").isEqualTo(5_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_storeBack_worksAtOnce(Style style) {
    try (Caller caller = bench.caller(style)) {
      bench.faults.always(Calls.any(), Fault.unreachable());
      assertThatThrownBy(() -> caller.acquire(Bench.rpm(1)))
          .isInstanceOf(LimiterUnavailableException.class);
      bench.faults.heal();

      caller.acquire(Bench.rpm(1));
      assertThat(bench.balanceMilli("rpm")).isEqualTo(9_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_mistakeInSetUp_isThrownUnderAllowToo(Style style) {
    try (Caller caller = allowing(style)) {
      RuntimeException noTable =
          new LimiterConfigurationException("the table does not exist", Map.of(), null);
      bench.faults.once(Calls.any(), Fault.raise(noTable));

      assertThatThrownBy(() -> caller.acquire(Bench.rpm(1))).isSameAs(noTable);
      assertThat(caller.metrics().degraded()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void listener_hearsThePolicyAndItsOwnFailureStaysItsOwn(Style style) {
    List<LimiterEvent.Decision.Outcome> heard = new ArrayList<>();
    LimiterListener broken =
        event -> {
          if (event instanceof LimiterEvent.Decision decision
              && decision.outcome() != LimiterEvent.Decision.Outcome.ADMITTED) {
            heard.add(decision.outcome());
            throw new IllegalStateException("a listener's bug");
          }
        };
    try (Caller caller =
        bench.caller(style, bench.options().onUnavailable(OnUnavailable.ALLOW).listener(broken))) {
      bench.faults.once(Calls.lookups(), Fault.unreachable());

      assertThat(caller.acquire(Bench.rpm(1)).isDegraded()).isTrue();
      assertThat(heard).containsExactly(LimiterEvent.Decision.Outcome.DEGRADED);
    }
  }
}
