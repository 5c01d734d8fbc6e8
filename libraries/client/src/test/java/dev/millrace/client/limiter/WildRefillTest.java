package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A refill timestamp that some host with a wild clock left far ahead. */
class WildRefillTest {
  private static final long HOUR_MS = 3_600_000;

  private final Bench bench = new Bench();

  private void given(BucketKey key, long refilledAtMs, long rpmMilli) {
    BucketState state =
        new BucketState(
            key,
            refilledAtMs,
            List.of(
                new LimitState(Bench.RPM, rpmMilli, 0), new LimitState(Bench.TPM, 1_000_000, 0)),
            BucketState.NEVER,
            "wild");
    assertThat(bench.memory.execute(new StoreCall.Write(new WritePlan.Create(state)), 1_000))
        .isInstanceOf(StoreReply.Applied.class);
  }

  @ParameterizedTest
  @EnumSource
  void acquire_anHourAhead_isHealedWithoutCredit(Style style) {
    given(Bench.KEY, Bench.START_MS + HOUR_MS, 5_000);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(1));

      assertThat(bench.state().refilledAtMs()).isEqualTo(Bench.START_MS);
      assertThat(bench.balanceMilli("rpm")).isEqualTo(4_000);
      assertThat(caller.metrics().healedRefills()).isEqualTo(1);
      bench.advance(5_998);
      caller.acquire(Bench.rpm(5));
      assertThat(bench.balanceMilli("rpm")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_anHourAheadAndDrained_isHealedByTheRefusal(Style style) {
    given(Bench.KEY, Bench.START_MS + HOUR_MS, 0);
    try (Caller caller = bench.caller(style)) {
      assertThat(caller.tryAcquire(Bench.rpm(1)).rejection().orElseThrow().retryAfterMs())
          .isEqualTo(5_998);

      assertThat(bench.state().refilledAtMs()).isEqualTo(Bench.START_MS);
      assertThat(caller.metrics().healedRefills()).isEqualTo(1);
      bench.advance(5_998);
      assertThat(caller.tryAcquire(Bench.rpm(1)).isGranted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_anHourAheadAndInDebt_isHealedByTheRefusal(Style style) {
    given(Bench.KEY, Bench.START_MS + HOUR_MS, -3_000);
    try (Caller caller = bench.caller(style)) {
      assertThat(caller.tryAcquire(Bench.rpm(0)).isGranted()).isFalse();

      bench.advance(17_998);
      assertThat(caller.tryAcquire(Bench.rpm(0)).isGranted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_afterTheHealing_costsOneWriteEach(Style style) {
    given(Bench.KEY, Bench.START_MS + HOUR_MS, 5_000);
    try (Caller caller = bench.caller(style)) {
      assertThat(bench.roundTrips(() -> caller.acquire(Bench.rpm(1)))).isEqualTo(2);
      for (int i = 0; i < 10; i++) {
        bench.advance(6_000);
        assertThat(bench.roundTrips(() -> caller.acquire(Bench.rpm(1)))).isEqualTo(1);
      }
      assertThat(caller.metrics().healedRefills()).isEqualTo(1);
      assertThat(caller.metrics().lostLocks()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_seenByTwoProcesses_isHealedOnceAndEarnsOnce(Style style) {
    given(Bench.KEY, Bench.START_MS + HOUR_MS, 0);
    try (Caller one = bench.caller(style);
        Caller other = bench.caller(style)) {
      assertThat(one.tryAcquire(Bench.rpm(1)).isGranted()).isFalse();
      assertThat(other.tryAcquire(Bench.rpm(1)).isGranted()).isFalse();
      assertThat(one.metrics().healedRefills() + other.metrics().healedRefills()).isEqualTo(1);

      bench.advance(11_998);
      assertThat(one.tryAcquire(Bench.rpm(1)).isGranted()).isTrue();
      assertThat(other.tryAcquire(Bench.rpm(1)).isGranted()).isTrue();
      assertThat(one.tryAcquire(Bench.rpm(1)).isGranted()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_severalBucketsHealed_areAllCountedAndLoggedOnce(Style style) {
    List<String> lines = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(line.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("dev.millrace");
    logger.addHandler(handler);
    try (Caller caller = bench.caller(style)) {
      for (int i = 0; i < 5; i++) {
        String entity = "wild-" + i;
        given(BucketKey.first("default", entity, "gpt-4"), Bench.START_MS + HOUR_MS, 5_000);
        caller.acquire(AcquireRequest.of(entity, "gpt-4").limits(Bench.LIMITS).consume("rpm", 1));
      }
      assertThat(caller.metrics().healedRefills()).isEqualTo(5);
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).contains("ahead", "check the hosts");
  }

  @ParameterizedTest
  @EnumSource
  void acquire_aheadByLessThanIsAllowed_isBelieved(Style style) {
    given(Bench.KEY, Bench.START_MS + 9_000, 2_000);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(1));

      assertThat(bench.state().refilledAtMs()).isEqualTo(Bench.START_MS + 9_000);
      assertThat(caller.metrics().healedRefills()).isZero();
      assertThat(caller.tryAcquire(Bench.rpm(2)).rejection().orElseThrow().retryAfterMs())
          .as("it is followed: what is earned is earned from there on")
          .isBetween(5_990L, 6_001L);
      bench.advance(6_010);
      caller.acquire(Bench.rpm(2));
      assertThat(bench.state().refilledAtMs())
          .as("never ahead of a clock that was right about it")
          .isBetween(Bench.START_MS + 15_000, Bench.START_MS + 15_009);
    }
  }
}
