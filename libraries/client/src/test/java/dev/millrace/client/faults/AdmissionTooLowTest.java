package dev.millrace.client.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.internal.generator.Seeds;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of the original by which less was admitted than is due, or was answered wrongly. */
class AdmissionTooLowTest {
  private final Bench bench = new Bench();

  private static AcquireRequest with(Limit... limits) {
    return Bench.request(LimitSet.of(limits));
  }

  /** Fault 12: a limit added to a living bucket was refused with "retry after 0" until it went. */
  @ParameterizedTest
  @EnumSource
  void addedLimit_neverRefusedForEver(Style style) {
    Limit added = Limit.perMinute("added", 5);
    try (Caller caller = bench.caller(style);
        Caller other = bench.caller(style)) {
      caller.acquire(with(Bench.RPM).consume("rpm", 1));
      other.acquire(with(Bench.RPM).consume("rpm", 1));

      caller.acquire(with(Bench.RPM, added).consume("added", 1));
      other.acquire(with(Bench.RPM, added).consume("added", 4));
      assertThat(caller.tryAcquire(with(Bench.RPM, added).consume("added", 1)).isGranted())
          .isFalse();
      bench.clock.advance(Duration.ofSeconds(12));
      caller.acquire(with(Bench.RPM, added).consume("added", 1));
    }
  }

  /** Fault 13: who lost the lock was refused although tokens were due, and told not to wait. */
  @ParameterizedTest
  @EnumSource
  void lostLock_neverRefusesWithRetryZero(Style style) {
    Limit limit = Limit.perSecond("rps", 20);
    AcquireRequest request = with(limit).consume("rps", 1);
    Seeds.forEach(
        20,
        (random, seed) -> {
          Bench fresh = new Bench();
          try (Caller one = fresh.caller(style);
              Caller other = fresh.caller(style)) {
            one.acquire(request);
            other.acquire(request);
            int admitted = 2;
            int steps = 2_000;
            for (int i = 0; i < steps; i++) {
              fresh.advance(5);
              boolean race = random.nextBoolean();
              int[] taken = {0};
              if (race) {
                fresh.faults.once(
                    Calls.writes(),
                    Fault.before(() -> taken[0] = other.tryAcquire(request).isGranted() ? 1 : 0));
              }
              Caller.Answer answer = one.tryAcquire(request);
              fresh.faults.heal();
              answer
                  .rejection()
                  .ifPresent(rejection -> assertThat(rejection.retryAfterMs()).isPositive());
              admitted += (answer.isGranted() ? 1 : 0) + taken[0];
            }
            assertThat(one.metrics().lostLocks()).as("seed %d", seed).isPositive();
            int due = 20 + steps * 5 * 20 / 1_000;
            assertThat(admitted).as("seed %d", seed).isBetween(due - 1, due);
          }
        });
  }

  /** Fault 14: beside a busy limit, a slow one got 9.5 % of its refill. */
  @ParameterizedTest
  @EnumSource
  void slowLimitBesideFast_neverStarves(Style style) {
    Limit fast = Limit.perSecond("fast", 1_000);
    Limit slow = Limit.perDay("slow", 1_000);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(with(fast, slow).consume("slow", 1_000));
      for (int i = 0; i < 12_000; i++) {
        bench.advance(50);
        caller.acquire(with(fast, slow).consume("fast", 1));
      }
      // 600 s of 1,000 a day, to the millitoken: ⌊t / 86.4⌋ is the credit since 1970.
      long nowMs = bench.clock.nowMs();
      assertThat(bench.balanceMilli("slow"))
          .isEqualTo(nowMs * 10 / 864 - Bench.START_MS * 10 / 864);
    }
  }

  /** Fault 14: a limit that the write did not name lost the time that the write claimed. */
  @ParameterizedTest
  @EnumSource
  void limitNotNamed_neverLosesItsTime(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(10).consume("tpm", 1_000));
      for (int i = 0; i < 600; i++) {
        bench.advance(i % 7);
        caller.tryAcquire(Bench.request().consume("tpm", 1));
      }
      long nowMs = bench.clock.nowMs();
      long earnedMilli = nowMs / 6 - Bench.START_MS / 6;
      assertThat(caller.available("key-42", "gpt-4", Bench.RPM, Bench.TPM).statuses().get(0))
          .satisfies(status -> assertThat(status.availableMilli()).isEqualTo(earnedMilli));
    }
  }

  /** Fault 14: each slow path lost its own latency, 12 % at 20 a second. */
  @ParameterizedTest
  @EnumSource
  void latencyOfTheStore_neverCostsRefill(Style style) {
    Limit limit = Limit.perSecond("rps", 20);
    AcquireRequest request = with(limit).consume("rps", 1);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(with(limit).consume("rps", 20));
      bench.faults.always(Calls.any(), Fault.before(() -> bench.advance(7)));
      int admitted = 0;
      while (bench.clock.elapsedMs() < 60_000) {
        Caller.Answer answer = caller.tryAcquire(request);
        admitted += answer.isGranted() ? 1 : 0;
        answer.rejection().ifPresent(rejection -> bench.advance(rejection.retryAfterMs()));
      }
      assertThat(admitted).isBetween(1_199, 1_201);
    }
  }

  /** Fault 15: repeated calls at one instant minted tokens. */
  @ParameterizedTest
  @EnumSource
  void callsAtOneInstant_neverMint(Style style) {
    try (Caller caller = bench.caller(style);
        Caller other = bench.caller(style)) {
      bench.advance(3);
      caller.acquire(Bench.rpm(10));
      for (int i = 0; i < 500; i++) {
        (i % 2 == 0 ? caller : other).tryAcquire(Bench.request().consume("tpm", 1));
      }
      assertThat(bench.balanceMilli("rpm")).isZero();
      assertThat(caller.tryAcquire(Bench.rpm(1)).isGranted()).isFalse();
    }
  }

  /** Fault 15: at steps of a millisecond the refill was 1.33 to 1.80 times the rate. */
  @ParameterizedTest
  @EnumSource
  void millisecondSteps_neverEarnMoreThanTheRate(Style style) {
    Limit odd = Limit.custom("odd", 1_000, 7, Duration.ofMillis(13_001));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(with(odd, Bench.TPM).consume("odd", 1_000));
      for (int i = 0; i < 10_000; i++) {
        bench.advance(1);
        caller.tryAcquire(with(odd, Bench.TPM).consume("tpm", 0));
      }
      long nowMs = bench.clock.nowMs();
      assertThat(bench.balanceMilli("odd"))
          .isEqualTo(nowMs * 7_000 / 13_001 - Bench.START_MS * 7_000 / 13_001);
    }
  }

  /** Fault 17: names with a newline at their end passed. Fault 18: some paths checked no names. */
  @ParameterizedTest
  @EnumSource
  void badName_neverReachesTheStore(Style style) {
    try (Caller caller = bench.caller(style)) {
      for (String bad :
          new String[] {
            "", "a\n", "a\r", "a#b", "#a", "_a", "$a", "a b", "ä", "a\u0000", "\u200ba"
          }) {
        assertThatThrownBy(() -> AcquireRequest.of(bad, "gpt-4"))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AcquireRequest.of("key-42", bad))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Bench.request().consume(bad, 1))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Limit.perMinute(bad, 1))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> caller.available(bad, "gpt-4", Bench.RPM))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> caller.available("key-42", bad, Bench.RPM))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bench.options().namespace(bad).build())
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertThatThrownBy(() -> Limit.perMinute("wcu", 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("reserved");
      assertThat(bench.calls.roundTrips()).isZero();
    }
  }
}
