package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits that change from one call to the next: at once, and without a token made of nothing. */
class ChangingLimitsTest {
  private static final Limit RAISED = Limit.perMinute("rpm", 100);
  private static final Limit LOWERED = Limit.perMinute("rpm", 3);
  private static final Limit DAILY = Limit.perDay("rpd", 1_000);

  private final Bench bench = new Bench();

  private static AcquireRequest with(Limit... limits) {
    return Bench.request(LimitSet.of(limits));
  }

  private static AcquireRequest only(Limit limit, long amount) {
    return with(limit).consume(limit.name(), amount);
  }

  @ParameterizedTest
  @EnumSource
  void acquire_raisedLimit_getsItsTokensByRefill(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(only(Bench.RPM, 8));

      assertThat(caller.tryAcquire(only(RAISED, 3)).isGranted()).isFalse();
      caller.acquire(only(RAISED, 2));
      assertThat(bench.limit("rpm").limit()).isEqualTo(RAISED);
      bench.advance(1); // the change itself claims a millisecond, so that others notice it
      bench.advance(6_000);
      caller.acquire(only(RAISED, 10));
      assertThat(bench.balanceMilli("rpm")).isZero();
      assertThat(caller.metrics().reparameterised()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_loweredLimit_isClippedAtOnce(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(only(Bench.RPM, 1));

      assertThat(caller.tryAcquire(only(LOWERED, 4)).isGranted()).isFalse();
      caller.acquire(only(LOWERED, 3));
      assertThat(caller.tryAcquire(only(LOWERED, 1)).isGranted()).isFalse();
      bench.advance(20_000);
      caller.acquire(only(LOWERED, 1));
      assertThat(bench.balanceMilli("rpm")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_changedLimit_refillsTheTimeBeforeAtTheOldRate(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(only(Bench.RPM, 10));
      bench.advance(30_000);

      caller.acquire(only(RAISED, 0));

      assertThat(bench.balanceMilli("rpm")).as("half a minute of 10 a minute").isEqualTo(5_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_raisedAndLoweredInTurn_mintsNothing(Style style) {
    try (Caller caller = bench.caller(style)) {
      long taken = 0;
      for (int i = 0; i < 50; i++) {
        Limit limit = i % 2 == 0 ? RAISED : Bench.RPM;
        taken += caller.tryAcquire(only(limit, 7)).isGranted() ? 7 : 0;
      }
      // The first sight of the bucket is the raised one: 100, and the lowered one clips it to 10.
      assertThat(taken).isEqualTo(7 + 7);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_addedLimit_startsFullBesideTheOthers(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(only(Bench.RPM, 9));

      caller.acquire(with(Bench.RPM, DAILY).consume("rpm", 1).consume("rpd", 400));

      assertThat(bench.balanceMilli("rpm")).isZero();
      assertThat(bench.balanceMilli("rpd")).isEqualTo(600_000);
      assertThat(bench.consumedMilli("rpd")).isEqualTo(400_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_removedLimitNotFull_comesBackWithTheBalanceItHad(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(with(Bench.RPM, DAILY).consume("rpd", 1_000));
      caller.acquire(only(Bench.RPM, 1));
      assertThat(bench.balanceMilli("rpd")).as("kept until it is full").isZero();

      assertThat(caller.tryAcquire(with(Bench.RPM, DAILY).consume("rpd", 1)).isGranted()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_removedLimitFull_goes(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(with(Bench.RPM, DAILY).consume("rpd", 1));
      bench.advance(86_400);

      caller.acquire(only(Bench.RPM, 1));

      assertThat(bench.state().limits()).extracting(LimitState::name).containsExactly("rpm");
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_changeWithinAMillisecond_isNoticedByTheOtherWriter(Style style) {
    try (Caller one = bench.caller(style);
        Caller other = bench.caller(style)) {
      one.acquire(only(Bench.RPM, 1));
      other.acquire(only(Bench.RPM, 1));
      one.acquire(only(LOWERED, 1));

      other.acquire(only(LOWERED, 1));

      assertThat(bench.limit("rpm").limit()).isEqualTo(LOWERED);
      assertThat(bench.balanceMilli("rpm")).isEqualTo(1_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_limitGoneMeanwhile_settlesTheOthers(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(with(Bench.RPM, DAILY).consume("rpm", 1).consume("rpd", 0));
      caller.acquire(only(Bench.RPM, 1));
      assertThat(bench.state().find("rpd")).as("it was full").isNull();
      lease.adjust("rpm", 2);
      lease.adjust("rpd", 5);

      lease.close();

      assertThat(bench.balanceMilli("rpm")).isEqualTo(6_000);
      assertThat(bench.state().find("rpd")).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_changedLimit_costsOneWrite(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(only(Bench.RPM, 1));

      assertThat(bench.roundTrips(() -> caller.acquire(only(RAISED, 1)))).isEqualTo(1);
      assertThat(bench.roundTrips(() -> caller.acquire(with(RAISED, DAILY).consume("rpd", 1))))
          .isEqualTo(1);
    }
  }
}
