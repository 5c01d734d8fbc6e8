package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.testkit.Calls;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is wrong with a request is said before anything is sent. */
class MisuseTest {
  private final Bench bench = new Bench();

  private void assertRefusedUnsent(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
    assertThat(bench.calls.roundTrips()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void acquire_unknownLimit_isNotSent(Style style) {
    try (Caller caller = bench.caller(style)) {
      AcquireRequest request = Bench.rpm(1).consume("rps", 1);
      assertRefusedUnsent(() -> caller.acquire(request), "'rps'");
      assertRefusedUnsent(() -> caller.tryAcquire(request), "[rpm, tpm]");
      assertRefusedUnsent(() -> caller.tryAcquire(request, Duration.ofSeconds(1)), "'rps'");
      assertRefusedUnsent(() -> caller.timeUntilAvailable(request), "'rps'");
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_nothingConsumed_isNotSent(Style style) {
    try (Caller caller = bench.caller(style)) {
      assertRefusedUnsent(() -> caller.acquire(Bench.request()), "consumes nothing");
      assertRefusedUnsent(
          () -> caller.tryAcquire(Bench.request(), Duration.ZERO), "consumes nothing");
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_noLimitsAnywhere_saysWhatToDoAndWritesNothing(Style style) {
    try (Caller caller = bench.caller(style)) {
      AcquireRequest request = AcquireRequest.of("key-42", "gpt-4").consume("rpm", 1);
      assertThatThrownBy(() -> caller.acquire(request))
          .isInstanceOf(LimiterConfigurationException.class)
          .hasMessageContaining("no limits apply")
          .hasMessageContaining("entity=key-42")
          .hasMessageContaining(".limits(");
      assertThat(bench.calls.roundTrips(Calls.writes())).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void available_noLimitsOrBadNames_isNotSent(Style style) {
    try (Caller caller = bench.caller(style)) {
      assertRefusedUnsent(() -> caller.available("key#42", "gpt-4", Bench.RPM), "'#'");
      assertRefusedUnsent(() -> caller.available("key-42", "gpt-4\n", Bench.RPM), "\\u000a");
      assertRefusedUnsent(
          () -> caller.available("key-42", "gpt-4", Bench.RPM, Limit.perHour("rpm", 1)), "twice");
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_waitOutOfRange_isNotSent(Style style) {
    try (Caller caller = bench.caller(style)) {
      assertRefusedUnsent(
          () -> caller.tryAcquire(Bench.rpm(1), Duration.ofMillis(-1)), "must be from PT0S");
      assertRefusedUnsent(() -> caller.tryAcquire(Bench.rpm(1), Duration.ofDays(2)), "PT48H");
    }
  }

  @ParameterizedTest
  @EnumSource
  void anything_closedLimiter_isNotSent(Style style) {
    Caller caller = bench.caller(style);
    caller.close();

    for (ThrowingCallable call :
        new ThrowingCallable[] {
          () -> caller.acquire(Bench.rpm(1)),
          () -> caller.tryAcquire(Bench.rpm(1)),
          () -> caller.tryAcquire(Bench.rpm(1), Duration.ofSeconds(1)),
          () -> caller.call(Bench.rpm(1), lease -> 0),
          () -> caller.available("key-42", "gpt-4", Bench.RPM),
          () -> caller.timeUntilAvailable(Bench.rpm(1))
        }) {
      assertThatThrownBy(call)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
    }
    assertThat(bench.calls.roundTrips()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void close_openLease_canStillBeEnded(Style style) {
    Caller caller = bench.caller(style);
    Lease lease = caller.acquire(Bench.rpm(4));
    lease.adjust("rpm", 1);

    caller.close();
    lease.close();

    assertThat(bench.balanceMilli("rpm")).isEqualTo(5_000);
  }
}
