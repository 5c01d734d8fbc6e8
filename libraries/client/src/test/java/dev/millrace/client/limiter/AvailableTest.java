package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Availability;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Looking without taking. */
class AvailableTest {
  private final Bench bench = new Bench();

  private static Availability look(Caller caller) {
    return caller.available("key-42", "gpt-4", Bench.RPM, Bench.TPM);
  }

  @ParameterizedTest
  @EnumSource
  void available_noBucket_isFullAndMakesNone(Style style) {
    try (Caller caller = bench.caller(style)) {
      Availability availability = look(caller);

      assertThat(availability.tokens("rpm")).isEqualTo(10);
      assertThat(availability.tokens("tpm")).isEqualTo(1_000);
      assertThat(bench.memory.size()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void available_someTaken_countsTheRefillSince(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(10).consume("tpm", 700));
      bench.advance(9_000);

      Availability availability = look(caller);

      assertThat(availability.tokens("rpm")).as("1.5, rounded down").isEqualTo(1);
      assertThat(availability.tokens("tpm")).isEqualTo(450);
      assertThat(availability.statuses()).extracting(LimitStatus::exceeded).containsOnly(false);
      assertThat(bench.balanceMilli("rpm")).as("nothing is changed").isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void available_debt_isBelowZero(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(10));
      lease.adjust("rpm", 5);
      lease.close();
      bench.advance(3_000);

      assertThat(look(caller).tokens("rpm")).as("-4.5, rounded down").isEqualTo(-5);
    }
  }

  @ParameterizedTest
  @EnumSource
  void available_otherLimitsThanTheBuckets_judgesByThose(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(2));

      Availability availability =
          caller.available(
              "key-42", "gpt-4", Limit.perMinute("rpm", 5), Limit.perHour("added", 70));

      assertThat(availability.tokens("rpm")).as("clipped").isEqualTo(5);
      assertThat(availability.tokens("added")).isEqualTo(70);
      assertThatThrownBy(() -> availability.tokens("tpm"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'tpm'");
    }
  }

  @ParameterizedTest
  @EnumSource
  void available_storeAway_throwsWhateverThePolicy(Style style) {
    try (Caller caller = bench.caller(style, bench.options().onUnavailable(OnUnavailable.ALLOW))) {
      bench.faults.once(Calls.reads(), Fault.throttle());

      assertThatThrownBy(() -> look(caller)).isInstanceOf(LimiterUnavailableException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void timeUntilAvailable_fitsNow_isZero(Style style) {
    try (Caller caller = bench.caller(style)) {
      assertThat(caller.timeUntilAvailable(Bench.rpm(10))).contains(Duration.ZERO);
      caller.acquire(Bench.rpm(4));
      assertThat(caller.timeUntilAvailable(Bench.rpm(6))).contains(Duration.ZERO);
    }
  }

  @ParameterizedTest
  @EnumSource
  void timeUntilAvailable_mustWait_isExact(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(10));
      Duration wait = caller.timeUntilAvailable(Bench.rpm(2)).orElseThrow();
      assertThat(wait).isEqualTo(Duration.ofMillis(11_998));

      bench.clock.advance(wait.minusMillis(1));
      assertThat(caller.timeUntilAvailable(Bench.rpm(2))).contains(Duration.ofMillis(1));
      bench.advance(1);
      assertThat(caller.timeUntilAvailable(Bench.rpm(2))).contains(Duration.ZERO);
      caller.acquire(Bench.rpm(2));
    }
  }

  @ParameterizedTest
  @EnumSource
  void timeUntilAvailable_aboveTheBurst_isEmpty(Style style) {
    try (Caller caller = bench.caller(style)) {
      assertThat(caller.timeUntilAvailable(Bench.rpm(11))).isEmpty();
      assertThat(caller.timeUntilAvailable(Bench.rpm(1).consume("tpm", 1_001))).isEmpty();
    }
  }
}
