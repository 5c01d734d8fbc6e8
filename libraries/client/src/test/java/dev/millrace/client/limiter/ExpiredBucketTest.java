package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Lease;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A bucket that the store has forgotten between two calls. */
class ExpiredBucketTest {
  private final Bench bench = new Bench();

  @ParameterizedTest
  @EnumSource
  void acquire_bucketGone_makesItAnew(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(4));
      bench.memory.remove(Bench.KEY);

      assertThat(bench.roundTrips(() -> caller.acquire(Bench.rpm(1)))).isEqualTo(2);

      assertThat(bench.balanceMilli("rpm")).isEqualTo(9_000);
      assertThat(caller.metrics().created()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_bucketGoneAndSeenEmpty_isFullAsSoonAsTheStoreIsAsked(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(10));
      bench.memory.remove(Bench.KEY);

      assertThat(caller.tryAcquire(Bench.rpm(1)).isGranted()).as("seen just now").isFalse();
      bench.advance(1_000);
      assertThat(caller.tryAcquire(Bench.rpm(10)).isGranted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_bucketGone_chargeMakesItAnew(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4).consume("tpm", 500));
      lease.adjust("rpm", 3);
      lease.adjust("tpm", -500);
      bench.memory.remove(Bench.KEY);

      lease.close();

      assertThat(bench.balanceMilli("rpm")).isEqualTo(7_000);
      assertThat(bench.balanceMilli("tpm")).as("a new one is full").isEqualTo(1_000_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_bucketGone_refundIsThereAlready(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));
      lease.release("rpm", 3);
      bench.memory.remove(Bench.KEY);

      lease.close();

      assertThat(bench.memory.size()).as("no bucket, which is a full one").isZero();
      assertThat(caller.available("key-42", "gpt-4", Bench.RPM).tokens("rpm")).isEqualTo(10);
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancel_bucketGoneAndMadeAnew_isClippedBeforeItIsSpent(Style style) {
    try (Caller caller = bench.caller(style);
        Caller other = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(4));
      bench.memory.remove(Bench.KEY);
      other.acquire(Bench.rpm(1));

      lease.cancel();

      assertThat(bench.balanceMilli("rpm")).as("lifted above the ceiling").isEqualTo(13_000);
      assertThat(caller.tryAcquire(Bench.rpm(11)).isGranted()).isFalse();
      caller.acquire(Bench.rpm(10));
      assertThat(other.tryAcquire(Bench.rpm(1)).isGranted()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_debt_keepsTheBucketUntilItIsPaidAndFull(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(Bench.rpm(10));
      lease.adjust("rpm", 1_000);
      lease.close();

      // 1,010 tokens at 10 a minute are 101 minutes, and seven times that is what it lives.
      assertThat(bench.state().expiresAtSeconds()).isEqualTo(Bench.START_MS / 1_000 + 7 * 101 * 60);
    }
  }
}
