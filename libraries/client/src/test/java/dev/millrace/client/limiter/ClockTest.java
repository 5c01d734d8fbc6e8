package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.LimiterOptions;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import dev.millrace.testkit.RecordingStore;
import java.time.Duration;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A process whose clock differs from the store's. */
class ClockTest {
  private final ManualClock storeClock = new ManualClock(Bench.START_MS);
  private final InMemoryStore memory = InMemoryStore.withClock(storeClock::nowMs);
  private final RecordingStore store = RecordingStore.over(memory);

  private static LimiterOptions.Builder options(ManualClock clock) {
    return LimiterOptions.builder().time(clock);
  }

  private BucketState state() {
    return Objects.requireNonNull(memory.snapshot(Bench.KEY));
  }

  private long balanceMilli() {
    return Objects.requireNonNull(state().find("rpm")).tokensMilli();
  }

  private void advance(ManualClock clock, long ms) {
    storeClock.advance(Duration.ofMillis(ms));
    clock.advance(Duration.ofMillis(ms));
  }

  @ParameterizedTest
  @CsvSource({
    "BLOCKING, 5000", "BLOCKING, -5000", "BLOCKING, 3600000", "BLOCKING, -3600000",
    "ASYNC, 5000", "ASYNC, -5000", "ASYNC, 3600000", "ASYNC, -3600000"
  })
  void acquire_clockIsOff_isCorrectedBeforeTheFirstWrite(Style style, long offMs) {
    ManualClock clock = new ManualClock(Bench.START_MS + offMs);
    try (Caller caller = style.caller(store, options(clock).build())) {
      caller.acquire(Bench.rpm(10));

      assertThat(state().refilledAtMs()).isBetween(Bench.START_MS, Bench.START_MS + 1_000);
      assertThat(caller.metrics().clockCorrections()).isEqualTo(1);
      advance(clock, 6_000);
      caller.acquire(Bench.rpm(1));
      assertThat(balanceMilli()).isZero();
      assertThat(caller.metrics().clockCorrections()).as("once is enough").isEqualTo(1);
      assertThat(caller.metrics().healedRefills()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"BLOCKING, 999", "BLOCKING, -999", "ASYNC, 999", "ASYNC, -999", "ASYNC, 0"})
  void acquire_clockIsOffByLessThanASecond_isLeftAlone(Style style, long offMs) {
    ManualClock clock = new ManualClock(Bench.START_MS + offMs);
    try (Caller caller = style.caller(store, options(clock).build())) {
      for (int i = 0; i < 10; i++) {
        caller.acquire(Bench.rpm(1));
        assertThat(state().refilledAtMs()).isEqualTo(clock.nowMs());
        advance(clock, 777);
      }
      assertThat(caller.metrics().clockCorrections()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_correctionTurnedOff_believesItsOwnClock(Style style) {
    ManualClock clock = new ManualClock(Bench.START_MS + 5_000);
    try (Caller caller = style.caller(store, options(clock).correctClock(false).build())) {
      caller.acquire(Bench.rpm(1));

      assertThat(state().refilledAtMs()).isEqualTo(Bench.START_MS + 5_000);
      assertThat(caller.metrics().clockCorrections()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_clockSetBackLater_isCorrectedByTheNextReply(Style style) {
    ManualClock clock = new ManualClock(Bench.START_MS);
    try (Caller caller = style.caller(store, options(clock).build())) {
      caller.acquire(Bench.rpm(10));
      clock.set(Bench.START_MS - 3_600_000);

      assertThat(caller.tryAcquire(Bench.rpm(1)).isGranted()).isFalse();
      assertThat(caller.metrics().clockCorrections()).isEqualTo(1);
      advance(clock, 7_000);
      caller.acquire(Bench.rpm(1));

      assertThat(balanceMilli()).isBetween(0L, 300L);
      assertThat(caller.metrics().healedRefills()).isZero();
      assertThat(state().refilledAtMs()).isCloseTo(Bench.START_MS + 7_000, within(1_000));
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_clockSetBackAndForth_endsUncorrected(Style style) {
    ManualClock clock = new ManualClock(Bench.START_MS);
    try (Caller caller = style.caller(store, options(clock).build())) {
      caller.acquire(Bench.rpm(1));
      clock.set(Bench.START_MS - 10_000);
      caller.acquire(Bench.rpm(1));
      assertThat(caller.metrics().clockCorrections()).isEqualTo(1);
      clock.set(Bench.START_MS);
      caller.acquire(Bench.rpm(1));
      assertThat(caller.metrics().clockCorrections()).isEqualTo(2);

      advance(clock, 12_000); // the write just before the last correction was ten seconds ahead
      caller.acquire(Bench.rpm(1));

      assertThat(state().refilledAtMs()).isEqualTo(Bench.START_MS + 12_000);
    }
  }

  /** What a clock that jumps ahead can claim is what fills the bucket, and no more, once. */
  @ParameterizedTest
  @EnumSource
  void acquire_clockSetAheadLater_fillsTheBucketOnceAndIsHealed(Style style) {
    ManualClock clock = new ManualClock(Bench.START_MS);
    // Believed for long: looking anything up would put the clock right before.
    Duration age = Duration.ofHours(1);
    LimiterOptions options = options(clock).configAge(age).mirrorAge(age).build();
    try (Caller caller = style.caller(store, options)) {
      caller.acquire(Bench.rpm(10));
      clock.set(Bench.START_MS + 3_000_000);
      int admitted = 0;
      for (int i = 0; i < 30; i++) {
        admitted += caller.tryAcquire(Bench.rpm(1)).isGranted() ? 1 : 0;
      }

      assertThat(admitted).isEqualTo(10);
      assertThat(caller.metrics().clockCorrections()).isEqualTo(1);
      assertThat(caller.metrics().healedRefills()).isEqualTo(1);
      advance(clock, 7_000);
      caller.acquire(Bench.rpm(1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_processesWithClocksApart_admitTheBurstAndNoMore(Style style) {
    ManualClock ahead = new ManualClock(Bench.START_MS + 5_000);
    ManualClock behind = new ManualClock(Bench.START_MS - 5_000);
    try (Caller one = style.caller(store, options(ahead).build());
        Caller other = style.caller(store, options(behind).build())) {
      int admitted = 0;
      for (int i = 0; i < 40; i++) {
        admitted += (i % 2 == 0 ? one : other).tryAcquire(Bench.rpm(1)).isGranted() ? 1 : 0;
      }
      assertThat(admitted).isEqualTo(10);
    }
  }

  private static Offset<Long> within(long ms) {
    return Offset.offset(ms);
  }
}
