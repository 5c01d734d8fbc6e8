package dev.millrace.client.stored;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.Lease;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is answered when it cannot be found out what holds. */
class LookUpFailureTest {
  private static final long MINUTE_MS = 60_000;
  private static final long HOUR_MS = 60 * MINUTE_MS;

  private final HierarchyBench bench = new HierarchyBench();

  private void lookUpsFail() {
    bench.faults.always(Calls.lookups(), Fault.throttle());
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_renewalFails_goesOnWithOldRecords(Style style) {
    bench.directory.chain(ENTITY, "team");
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      lookUpsFail();
      bench.advance(5 * MINUTE_MS);

      caller.acquire(request(1));

      assertThat(bench.consumed(ENTITY)).isEqualTo(2);
      assertThat(bench.consumed("team")).isEqualTo(2);
    }
  }

  /** A store that asks to slow down is not asked by every request. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_renewalFails_isTriedOnceASecond(Style style) {
    bench.directory.system(rpm(1_000));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      lookUpsFail();
      bench.advance(MINUTE_MS);
      int lookUps =
          bench.lookUps(
              () -> {
                for (int i = 0; i < 100; i++) {
                  caller.acquire(request(1));
                  bench.advance(30);
                }
              });
      assertThat(lookUps).isBetween(2, 4);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_renewalSucceedsAgain_newLimitsHold(Style style) {
    bench.directory.system(rpm(1_000));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      lookUpsFail();
      bench.advance(MINUTE_MS);
      caller.acquire(request(1));
      bench.directory.system(rpm(500));
      bench.faults.heal();
      bench.advance(1_000);

      caller.acquire(request(1));

      assertThat(bench.limit(HierarchyBench.key(ENTITY), "rpm").limit()).isEqualTo(rpm(500));
    }
  }

  /** Old records are no ground to make a bucket: nobody would tell it that they are old. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_renewalFailsAndTheBucketIsGone_isUnavailable(Style style) {
    bench.directory.system(rpm(1_000));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      lookUpsFail();
      bench.advance(MINUTE_MS);
      bench.memory.remove(HierarchyBench.key(ENTITY));

      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(1)));
      assertThat(bench.memory.size()).isZero();
    }
  }

  /** After ten times their age old records are no better than none. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_recordsOfAnHourAgo_doNotDo(Style style) {
    bench.directory.system(rpm(1_000));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      lookUpsFail();
      bench.advance(HOUR_MS);

      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(1)));
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_nothingKnown_blocksUnlessToldOtherwise(Style style) {
    bench.directory.system(rpm(1_000));
    lookUpsFail();
    try (Caller caller = bench.caller(style)) {
      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(1)))
          .satisfies(e -> assertThat(e.attributes()).containsEntry("mayBeCharged", false));
      assertThat(caller.metrics().blocked()).isEqualTo(1);

      Lease lease = caller.acquire(request(2).onUnavailable(OnUnavailable.ALLOW));
      assertThat(lease.isDegraded()).isTrue();
      assertThat(lease.consumed("rpm")).isEqualTo(2);
      lease.consume("rpm", 3);
      lease.adjust("rpm", 1);
      assertThat(lease.consumed("rpm")).isEqualTo(6);
      lease.close();
    }
    assertThat(bench.memory.size()).isZero();
  }

  private boolean isDegraded(Style style, LimiterOptions.Builder options, OnUnavailable ofTheCall) {
    try (Caller caller = bench.caller(style, options)) {
      caller.acquire(request(1));
      bench.faults.always(Calls.any(), Fault.unreachable());
      bench.advance(HOUR_MS); // the policy is not forgotten, however long the store is away
      boolean degraded;
      try {
        Lease lease =
            caller.acquire(ofTheCall == null ? request(1) : request(1).onUnavailable(ofTheCall));
        degraded = lease.isDegraded();
      } catch (LimiterUnavailableException e) {
        degraded = false;
      }
      bench.faults.heal();
      return degraded;
    }
  }

  /** The call's own word, else the limiter's, else what is stored, else to block. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_storeAway_thePolicyNearestToTheCallCounts(Style style) {
    bench.directory.system(rpm(100_000));
    assertThat(isDegraded(style, bench.options(), null)).isFalse();

    bench.directory.onUnavailable(OnUnavailable.ALLOW);
    assertThat(isDegraded(style, bench.options(), null)).isTrue();
    assertThat(isDegraded(style, bench.options().onUnavailable(OnUnavailable.BLOCK), null))
        .isFalse();
    assertThat(
            isDegraded(
                style, bench.options().onUnavailable(OnUnavailable.BLOCK), OnUnavailable.ALLOW))
        .isTrue();

    bench.directory.onUnavailable(OnUnavailable.BLOCK);
    assertThat(isDegraded(style, bench.options(), null)).isFalse();
    assertThat(isDegraded(style, bench.options().onUnavailable(OnUnavailable.ALLOW), null))
        .isTrue();
    assertThat(
            isDegraded(
                style, bench.options().onUnavailable(OnUnavailable.ALLOW), OnUnavailable.BLOCK))
        .isFalse();
  }

  /** One that broke on a bug or a mistake in set-up renews nothing: the next one looks itself. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_renewalBreaks_isNotTakenForOneUnderWay(Style style) {
    bench.directory.system(rpm(1_000));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.advance(MINUTE_MS);
      bench.faults.once(Calls.lookups(), Fault.raise(new IllegalStateException("a bug")));
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> caller.acquire(request(1)));

      assertThat(bench.lookUps(() -> caller.acquire(request(1)))).isEqualTo(1);
    }
  }

  /** Who is willing to wait waits for tokens, not for a store that is away. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_lookUpFailsForOneWillingToWait_isAnsweredAtOnce(Style style) {
    lookUpsFail();
    try (Caller caller = bench.caller(style)) {
      Duration hour = Duration.ofHours(1);
      int lookUps =
          bench.lookUps(
              () ->
                  assertThatExceptionOfType(LimiterUnavailableException.class)
                      .isThrownBy(() -> caller.tryAcquire(request(1), hour)));
      assertThat(lookUps).isEqualTo(1);
      assertThat(
              caller
                  .tryAcquire(request(1).onUnavailable(OnUnavailable.ALLOW), hour)
                  .lease()
                  .orElseThrow()
                  .isDegraded())
          .isTrue();
      assertThat(bench.clock.sleepers()).isZero();
    }
  }

  /** A parent that could not be read is not the same as no parent. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_ancestorsCannotBeRead_isUnavailableAndNothingIsWritten(Style style) {
    bench.directory.chain(ENTITY, "team");
    bench.directory.system(rpm(1_000));
    bench.faults.once(Calls.lookups(), Fault.none());
    bench.faults.always(Calls.lookups(), Fault.throttle());
    try (Caller caller = bench.caller(style)) {
      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(1)));
      assertThat(bench.memory.size()).isZero();

      bench.faults.heal();
      caller.acquire(request(1));
      assertThat(bench.consumed("team")).isEqualTo(1);
    }
  }

  /** A bucket that is ahead says that old records are wrong: then they do not do. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_bucketAheadAndLookUpFails_isUnavailable(Style style) {
    bench.directory.system(rpm(1_000));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.system(rpm(5));
      bench.refresh(ENTITY);
      lookUpsFail();

      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.acquire(request(1)));
      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
      assertThat(bench.limit(HierarchyBench.key(ENTITY), "rpm").limit()).isEqualTo(rpm(5));
    }
  }
}
