package dev.millrace.simulator.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.testkit.internal.generator.Gen;
import dev.millrace.testkit.internal.generator.Seeds;
import java.math.BigInteger;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ExactBucketTest {
  private static final int CASES = 20_000;

  @Test
  void credit_anyLimitAndTimes_isTheDifferenceOfTheCumulativeFloors() {
    Seeds.forEach(
        CASES,
        (random, seed) -> {
          Limit limit = Gen.limit(random);
          long fromMs = Gen.oneIn(random, 8) ? -Gen.timeMs(random) : Gen.timeMs(random);
          long toMs = fromMs + Gen.stepMs(random);
          BigInteger expected =
              toMs <= fromMs ? BigInteger.ZERO : c(limit, toMs).subtract(c(limit, fromMs));
          assertThat(BigInteger.valueOf(ExactBucket.credit(limit, fromMs, toMs)))
              .isEqualTo(expected);
        });
  }

  private static BigInteger c(Limit limit, long atMs) {
    BigInteger period = BigInteger.valueOf(limit.refill().periodMs());
    BigInteger product =
        BigInteger.valueOf(atMs).multiply(BigInteger.valueOf(limit.refill().amountMilli()));
    return product.subtract(product.mod(period)).divide(period); // mod is never negative
  }

  @Test
  void credit_beyond62Bits_isTheMost() {
    Limit limit =
        new Limit("a", Limit.MAX_TOKENS, Limit.MAX_TOKENS, Refill.of(Limit.MAX_TOKENS * 1_000, 1));
    assertThat(ExactBucket.credit(limit, 0, 1)).isEqualTo(1_000_000_000_000_000_000L);
    assertThat(ExactBucket.credit(limit, 0, 1_000_000)).isEqualTo(1L << 62);
  }

  @Test
  void balanceMilli_tableOfCases_isClippedAndWaitsForATimestampAhead() {
    Limit limit = Limit.perMinute("rpm", 60);
    assertThat(balance(limit, 100, 0)).isEqualTo(100);
    assertThat(balance(limit, 100, 50)).isEqualTo(150);
    assertThat(balance(limit, 100, -50)).isEqualTo(100);
    assertThat(balance(limit, -100, 50)).isEqualTo(-50);
    assertThat(balance(limit, 100, 60_000)).isEqualTo(60_000);
    assertThat(balance(limit, 70_000, -1)).isEqualTo(60_000);
  }

  private static long balance(Limit limit, long tokensMilli, long laterMs) {
    BucketState state = bucket(limit, tokensMilli, Story.T);
    return ExactBucket.balanceMilli(state, state.limits().get(0), Story.T + laterMs);
  }

  @Test
  void waitMs_smallNumbers_isWhatTryingEveryMillisecondFinds() {
    Seeds.forEach(
        CASES,
        (random, seed) -> {
          Limit limit = smallLimit(random);
          long refilledAtMs = Story.T + random.nextLong(-40, 40);
          long tokensMilli = random.nextLong(-20, limit.burstMilli() + 5);
          BucketState state = bucket(limit, tokensMilli, refilledAtMs);
          long requestedMilli = random.nextLong(0, limit.burstMilli() + 2);
          assertThat(ExactBucket.waitMs(state, "a", requestedMilli, Story.T))
              .isEqualTo(tried(state, requestedMilli, Story.T));
        });
  }

  private static long tried(BucketState state, long requestedMilli, long nowMs) {
    LimitState limit = state.limits().get(0);
    if (requestedMilli > limit.limit().burstMilli()) {
      return ExactBucket.NEVER;
    }
    long waitMs = 0;
    while (ExactBucket.balanceMilli(state, limit, nowMs + waitMs) < requestedMilli) {
      waitMs++;
    }
    return waitMs;
  }

  @Test
  void waitMs_anyLimit_sufficesAndAMillisecondLessDoesNot() {
    Seeds.forEach(
        CASES,
        (random, seed) -> {
          Limit limit = Gen.limit(random, "a");
          LimitState stored = Gen.limitState(random, limit);
          BucketState state = bucket(limit, stored.tokensMilli(), Story.T);
          long requestedMilli = random.nextLong(limit.burstMilli() + 1);
          long waitMs = ExactBucket.waitMs(state, "a", requestedMilli, Story.T);
          LimitState only = state.limits().get(0);
          assertThat(ExactBucket.balanceMilli(state, only, Story.T + waitMs))
              .isGreaterThanOrEqualTo(requestedMilli);
          if (waitMs > 0) {
            assertThat(ExactBucket.balanceMilli(state, only, Story.T + waitMs - 1))
                .isLessThan(requestedMilli);
          }
        });
  }

  @Test
  void waitMs_unknownLimit_isRefused() {
    BucketState state = bucket(Limit.perMinute("rpm", 60), 0, Story.T);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExactBucket.waitMs(state, "tpm", 1, Story.T))
        .withMessageContaining("tpm");
  }

  private static Limit smallLimit(RandomGenerator random) {
    long burstMilli = 1 + random.nextLong(30);
    Refill refill = Refill.of(1 + random.nextLong(12), 1 + random.nextLong(12));
    return new Limit("a", burstMilli, burstMilli, refill);
  }

  private static BucketState bucket(Limit limit, long tokensMilli, long refilledAtMs) {
    return new BucketState(
        Story.KEY, refilledAtMs, List.of(new LimitState(limit, tokensMilli, 0)), 0, "op");
  }
}
