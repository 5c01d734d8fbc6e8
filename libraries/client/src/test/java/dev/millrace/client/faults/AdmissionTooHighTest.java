package dev.millrace.client.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimitExceededException;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.ManualClock;
import dev.millrace.testkit.internal.generator.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of the original by which more was admitted than the limits allow. */
class AdmissionTooHighTest {
  private final Bench bench = new Bench();

  /** Fault 2: two clients a second apart admitted 1.45 to 2.27 times the limit. */
  @ParameterizedTest
  @EnumSource
  void clockBehind_neverMovesRefillBack(Style style) {
    Limit limit = Limit.perSecond("rps", 10);
    AcquireRequest request = AcquireRequest.of("key-42", "gpt-4").limits(limit).consume("rps", 1);
    ManualClock ahead = new ManualClock(Bench.START_MS + 1_000);
    ManualClock behind = new ManualClock(Bench.START_MS);
    try (Caller one = style.caller(bench.calls, LimiterOptions.builder().time(ahead).build());
        Caller other = style.caller(bench.calls, LimiterOptions.builder().time(behind).build())) {
      int admitted = 0;
      long refilledAtMs = 0;
      long steps = 3_000;
      for (int i = 0; i < steps; i++) {
        ahead.advance(Duration.ofMillis(10));
        behind.advance(Duration.ofMillis(10));
        admitted += one.tryAcquire(request).isGranted() ? 1 : 0;
        admitted += other.tryAcquire(request).isGranted() ? 1 : 0;
        assertThat(bench.state().refilledAtMs()).isGreaterThanOrEqualTo(refilledAtMs);
        refilledAtMs = bench.state().refilledAtMs();
      }
      // burst + rate × (t + Δ + skew)
      double bound = 10 + 0.01 * (steps * 10 + PlanSettings.DEFAULT.grainMs() + 1_000);
      assertThat((double) admitted).isBetween(10 + 0.01 * (steps * 10) - 1, bound);
    }
  }

  /** Fault 7: consuming −500 lifted a balance from 9 to 509. */
  @ParameterizedTest
  @EnumSource
  void negativeConsume_neverMints(Style style) {
    try (Caller caller = bench.caller(style)) {
      assertThatThrownBy(() -> Bench.rpm(-500)).isInstanceOf(IllegalArgumentException.class);
      Lease lease = caller.acquire(Bench.rpm(1));
      assertThatThrownBy(() -> lease.consume("rpm", -500))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> lease.release("rpm", -500))
          .isInstanceOf(IllegalArgumentException.class);
      lease.close();

      assertThat(bench.balanceMilli("rpm")).isEqualTo(9_000);
    }
  }

  /** Fault 7: giving back more than was taken, 1,010 were admitted on a capacity of 10. */
  @ParameterizedTest
  @EnumSource
  void releaseOfMoreThanTaken_neverMints(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(1));
      assertThatThrownBy(() -> lease.release("rpm", 1_000))
          .isInstanceOf(IllegalArgumentException.class);
      lease.release("rpm", 1);
      assertThatThrownBy(() -> lease.release("rpm", 1))
          .isInstanceOf(IllegalArgumentException.class);
      lease.close();

      caller.acquire(Bench.rpm(10));
      assertThat(caller.tryAcquire(Bench.rpm(1)).isGranted()).isFalse();
    }
  }

  /** Fault 7: what a late refund lifts above the ceiling was spent before it was clipped. */
  @ParameterizedTest
  @EnumSource
  void lateRefund_neverLiftsTheBurst(Style style) {
    try (Caller caller = bench.caller(style);
        Caller other = bench.caller(style)) {
      List<Lease> leases = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        leases.add(caller.acquire(Bench.rpm(1)));
        other.acquire(Bench.request().consume("tpm", 1)); // so that both count as contending
      }
      bench.clock.advance(Duration.ofMinutes(1));
      caller.acquire(Bench.rpm(0));
      leases.forEach(Lease::cancel);

      int admitted = 0;
      for (int i = 0; i < 40; i++) {
        admitted += (i % 2 == 0 ? caller : other).tryAcquire(Bench.rpm(1)).isGranted() ? 1 : 0;
      }
      assertThat(admitted).isEqualTo(10);
    }
  }

  /** Fault 7: an unknown limit was ignored without a word. */
  @ParameterizedTest
  @EnumSource
  void unknownLimit_neverIgnored(Style style) {
    try (Caller caller = bench.caller(style)) {
      assertThatThrownBy(() -> caller.acquire(Bench.rpm(1).consume("tokens", 1)))
          .isInstanceOf(IllegalArgumentException.class);
      Lease lease = caller.acquire(Bench.rpm(1));
      assertThatThrownBy(() -> lease.consume("tokens", 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> lease.adjust("tokens", 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Fault 8: two leases each took 90 of 97, which left −83. */
  @ParameterizedTest
  @EnumSource
  void twoLeases_neverOverdrawByConsume(Style style) {
    Limit limit = Limit.perMinute("rpm", 100);
    AcquireRequest request = AcquireRequest.of("key-42", "gpt-4").limits(limit).consume("rpm", 1);
    try (Caller caller = bench.caller(style);
        Caller other = bench.caller(style)) {
      Lease one = caller.acquire(request);
      Lease two = other.acquire(request);
      Lease three = caller.acquire(request);

      one.consume("rpm", 90);
      assertThatThrownBy(() -> two.consume("rpm", 90))
          .isInstanceOf(RateLimitExceededException.class);
      assertThatThrownBy(() -> three.consume("rpm", 90))
          .isInstanceOf(RateLimitExceededException.class);
      assertThat(bench.balanceMilli("rpm")).isEqualTo(7_000);
    }
  }

  /** Consuming from an idle bucket without claiming lets the idle time be claimed afterwards. */
  @ParameterizedTest
  @EnumSource
  void idleBucket_neverAdmitsTwoBursts(Style style) {
    Seeds.forEach(
        60,
        (random, seed) -> {
          Bench fresh = new Bench();
          List<Caller> processes = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            processes.add(fresh.caller(style));
          }
          // Everybody has seen the bucket, at different times, and believes that others write it.
          for (int i = 0; i < 12; i++) {
            processes.get(random.nextInt(4)).tryAcquire(Bench.rpm(1));
            fresh.advance(random.nextInt(150));
          }
          fresh.clock.advance(Duration.ofMinutes(10));

          int admitted = 0;
          for (int i = 0; i < 80; i++) {
            if (random.nextInt(3) == 0) { // somebody is faster, between a plan and its write
              int first = random.nextInt(4);
              Caller faster = processes.get((first + 1 + random.nextInt(3)) % 4);
              int[] taken = {0};
              fresh.faults.once(
                  Calls.writes(),
                  Fault.before(
                      () -> taken[0] = faster.tryAcquire(Bench.rpm(1)).isGranted() ? 1 : 0));
              admitted += processes.get(first).tryAcquire(Bench.rpm(1)).isGranted() ? 1 : 0;
              admitted += taken[0];
              fresh.faults.heal();
            } else {
              admitted +=
                  processes.get(random.nextInt(4)).tryAcquire(Bench.rpm(1)).isGranted() ? 1 : 0;
            }
          }
          assertThat(admitted).isEqualTo(10);
          processes.forEach(Caller::close);
        });
  }
}
