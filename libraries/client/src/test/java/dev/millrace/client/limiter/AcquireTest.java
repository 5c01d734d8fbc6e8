package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.LeaseState;
import dev.millrace.LimitStatus;
import dev.millrace.RateLimitExceededException;
import dev.millrace.Rejection;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an acquire is answered with, and when. */
class AcquireTest {
  private final Bench bench = new Bench();

  private static Rejection refusal(Caller caller, AcquireRequest request) {
    return caller.tryAcquire(request).rejection().orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  void acquire_fits_chargesBeforeItReturns(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(3).consume("tpm", 500));

      assertThat(lease.entityId()).isEqualTo("key-42");
      assertThat(lease.resource()).isEqualTo("gpt-4");
      assertThat(lease.state()).isEqualTo(LeaseState.OPEN);
      assertThat(lease.isDegraded()).isFalse();
      assertThat(lease.consumed("rpm")).isEqualTo(3);
      assertThat(lease.consumed("tpm")).isEqualTo(500);
      assertThat(bench.balanceMilli("rpm")).isEqualTo(7_000);
      assertThat(bench.balanceMilli("tpm")).isEqualTo(500_000);
      assertThat(bench.consumedMilli("tpm")).isEqualTo(500_000);
      assertThat(caller.metrics().admitted()).isEqualTo(1);
      assertThat(caller.metrics().created()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_wholeBurst_isAdmittedOnce(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(10));

      assertThat(bench.balanceMilli("rpm")).isZero();
      assertThat(caller.tryAcquire(Bench.rpm(1)).isGranted()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_refusedFromMemory_sameAnswerUntilTimeOrBucketChanges(Style style) {
    try (Caller caller = bench.caller(style)) {
      AcquireRequest request = Bench.rpm(1);
      Lease lease = caller.acquire(Bench.rpm(10));
      bench.advance(500); // from now on its legs may be kept
      Rejection first = refusal(caller, request);

      assertThat(refusal(caller, request)).isSameAs(first);
      bench.advance(1);
      assertThat(refusal(caller, request).retryAfterMs()).isEqualTo(first.retryAfterMs() - 1);
      lease.cancel();
      assertThat(caller.tryAcquire(request).isGranted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_oneLimitExceeded_throwsWithTheStatusOfEveryLimit(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(8).consume("tpm", 100));

      RateLimitExceededException thrown =
          catchThrowableOfType(
              RateLimitExceededException.class,
              () -> caller.acquire(Bench.rpm(4).consume("tpm", 100)));

      assertThat(thrown.rejection().statuses())
          .containsExactly(
              // C(t) = ⌊t / 6⌋ millitokens: two tokens are due 2,000 × 6 ms after START_MS − 2.
              new LimitStatus("key-42", "gpt-4", Bench.RPM, 2_000, 4_000, true, 11_998),
              new LimitStatus("key-42", "gpt-4", Bench.TPM, 900_000, 100_000, false, 0));
      assertThat(thrown.rejection().retryAfterMs()).isEqualTo(11_998);
      assertThat(thrown.getStackTrace()).isEmpty();
      assertThat(bench.balanceMilli("tpm")).as("nothing is charged").isEqualTo(900_000);
      assertThat(caller.metrics().refused()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_bothLimitsExceeded_tellsTheLongerWait(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(10).consume("tpm", 1_000));

      Rejection rejection = refusal(caller, Bench.rpm(1).consume("tpm", 500));

      assertThat(rejection.violations())
          .extracting(LimitStatus::name)
          .containsExactly("rpm", "tpm");
      assertThat(rejection.primary().name()).isEqualTo("tpm");
      assertThat(rejection.retryAfterMs()).isEqualTo(30_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_limitNotNamed_isReportedAndNotAsked(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(1).consume("tpm", 1_000));

      assertThat(caller.tryAcquire(Bench.rpm(1)).isGranted()).isTrue();
      assertThat(refusal(caller, Bench.rpm(9)).statuses())
          .extracting(LimitStatus::name, LimitStatus::requestedMilli, LimitStatus::exceeded)
          .containsExactly(tuple("rpm", 9_000L, true), tuple("tpm", 0L, false));
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_oneMillisecondEarly_isRefused(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(10));
      long waitMs = refusal(caller, Bench.rpm(3)).retryAfterMs();

      bench.advance(waitMs - 1);

      assertThat(refusal(caller, Bench.rpm(3)).retryAfterMs()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_afterExactlyTheTimeTold_isAdmitted(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(10));
      long waitMs = refusal(caller, Bench.rpm(3)).retryAfterMs();

      bench.advance(waitMs);

      assertThat(caller.tryAcquire(Bench.rpm(3)).isGranted()).isTrue();
      assertThat(bench.balanceMilli("rpm")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_toldTimeOfSeveralLimits_isExactForAllOfThem(Style style) {
    try (Caller caller = bench.caller(style)) {
      bench.advance(12_347); // another phase of the refill
      caller.acquire(Bench.rpm(7).consume("tpm", 999));
      AcquireRequest request = Bench.rpm(4).consume("tpm", 38);
      long waitMs = refusal(caller, request).retryAfterMs();

      bench.advance(waitMs - 1);
      assertThat(caller.tryAcquire(request).isGranted()).isFalse();
      bench.advance(1);
      assertThat(caller.tryAcquire(request).isGranted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_moreThanTheBurst_isNeverPossible(Style style) {
    try (Caller caller = bench.caller(style)) {
      Rejection rejection = refusal(caller, Bench.rpm(11));

      assertThat(rejection.retryAfterMs()).isEqualTo(LimitStatus.NEVER);
      assertThat(rejection.retryAfter()).isEmpty();
      assertThat(bench.memory.size()).as("no bucket is made for a refusal").isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_zeroOfAnEmptyLimit_isAdmitted(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(10));

      assertThat(caller.tryAcquire(Bench.rpm(0)).isGranted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_zeroOfALimitInDebt_isRefusedUntilTheDebtIsPaid(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(10));
      lease.adjust("rpm", 2);
      lease.close();

      Rejection rejection = refusal(caller, Bench.rpm(0));
      assertThat(rejection.statuses().get(0).availableMilli()).isEqualTo(-2_000);
      assertThat(rejection.statuses().get(0).available()).isEqualTo(-2);
      assertThat(rejection.retryAfterMs()).isEqualTo(11_998);
      bench.advance(11_997);
      assertThat(caller.tryAcquire(Bench.rpm(0)).isGranted()).isFalse();
      bench.advance(1);
      assertThat(caller.tryAcquire(Bench.rpm(0)).isGranted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_otherLimitInDebt_asksOnlyTheNamedOnes(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(1).consume("tpm", 1_000));
      lease.adjust("tpm", 500);
      lease.close();

      assertThat(caller.tryAcquire(Bench.rpm(1)).isGranted()).isTrue();
      assertThat(caller.tryAcquire(Bench.rpm(1).consume("tpm", 0)).isGranted()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_afterALongIdleTime_holdsOneBurst(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(10));
      bench.advance(3_600_000);

      caller.acquire(Bench.rpm(10));
      assertThat(caller.tryAcquire(Bench.rpm(1)).isGranted()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_otherEntityOrResource_hasItsOwnBucket(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(10));

      AcquireRequest other = AcquireRequest.of("key-43", "gpt-4");
      assertThat(caller.tryAcquire(other.limits(Bench.RPM).consume("rpm", 10)).isGranted())
          .isTrue();
      other = AcquireRequest.of("key-42", "gpt-5");
      assertThat(caller.tryAcquire(other.limits(Bench.RPM).consume("rpm", 10)).isGranted())
          .isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_otherNamespace_hasItsOwnBucket(Style style) {
    try (Caller caller = bench.caller(style);
        Caller other = bench.caller(style, bench.options().namespaceId("other"))) {
      caller.acquire(Bench.rpm(10));

      assertThat(other.tryAcquire(Bench.rpm(10)).isGranted()).isTrue();
    }
  }
}
