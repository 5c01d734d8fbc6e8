package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit.Refill;
import dev.millrace.core.testing.Gen;
import dev.millrace.core.testing.Laws;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/** The laws of the cumulative floor, against exact arithmetic. */
class RefillLawsTest {
  private static final int CASES = 50_000;
  private static final int MOST_PIECES = 30;

  @Test
  void creditMilli_anySplit_sumsToWhole() {
    Laws.check(
        CASES,
        gen -> {
          Refill refill = gen.refill();
          long startMs = gen.instantMs();
          long pieces = gen.between(1, MOST_PIECES);
          long nowMs = startMs;
          BigInteger sum = BigInteger.ZERO;
          for (int i = 0; i < pieces; i++) {
            long laterMs = nowMs + gen.between(0, 2) * gen.stretchMs() / MOST_PIECES;
            sum = sum.add(BigInteger.valueOf(refill.creditMilli(nowMs, laterMs)));
            nowMs = laterMs;
          }
          assertThat(refill.creditMilli(startMs, nowMs)).isEqualTo(saturated(sum));
        });
  }

  @Test
  void creditMilli_always_equalsTheExactDifferenceOfFloors() {
    Laws.check(
        CASES,
        gen -> {
          Refill refill = gen.refill();
          long fromMs = gen.instantMs();
          long toMs = gen.oneIn(4) ? gen.instantMs() : fromMs + gen.stretchMs();
          assertThat(refill.creditMilli(fromMs, toMs))
              .isEqualTo(saturated(exactCredit(refill, fromMs, toMs)));
        });
  }

  @Test
  void creditMilli_clockThatJumpsBack_earnsTheTimeOfTheHighestReadingOnce() {
    Laws.check(
        CASES,
        gen -> {
          Refill refill = gen.refill();
          long startMs = gen.instantMs();
          long refilledAtMs = startMs;
          long clockMs = startMs;
          long sumMilli = 0;
          for (int i = 0; i < MOST_PIECES; i++) {
            clockMs += gen.oneIn(3) ? -gen.scaled(100_000) : gen.scaled(100_000);
            sumMilli += refill.creditMilli(refilledAtMs, clockMs);
            refilledAtMs = Math.max(refilledAtMs, clockMs);
          }
          assertThat(sumMilli)
              .isEqualTo(exactCredit(refill, startMs, refilledAtMs).longValueExact());
        });
  }

  @Test
  void earnedAtMs_always_isTheLeastSuchInstant() {
    Laws.check(
        CASES,
        gen -> {
          Refill refill = gen.refill();
          long fromMs = gen.instantMs();
          long neededMilli = someThatComes(gen, refill);
          long atMs = refill.earnedAtMs(fromMs, neededMilli);
          assertThat(atMs).isGreaterThan(fromMs);
          assertThat(refill.creditMilli(fromMs, atMs)).isGreaterThanOrEqualTo(neededMilli);
          assertThat(refill.creditMilli(fromMs, atMs - 1)).isLessThan(neededMilli);
        });
  }

  @Test
  void earnedModulo_always_isTheExactRestOfTheCumulativeFloor() {
    Laws.check(
        CASES,
        gen -> {
          Refill refill = gen.refill();
          long ms =
              gen.oneIn(2)
                  ? gen.instantMs()
                  : gen.between(-1_000, 1_000) * refill.periodMs() + gen.between(-1, 1);
          int divisor = 1 << gen.between(0, 16);
          assertThat(refill.earnedModulo(ms, divisor))
              .isEqualTo(cumulative(refill, ms).mod(BigInteger.valueOf(divisor)).intValueExact());
        });
  }

  @Test
  void timeToEarnMs_anyPhase_isEnoughAndAMillisecondLessGivesNoMore() {
    Laws.check(
        CASES,
        gen -> {
          Refill refill = gen.refill();
          long milli = someThatComes(gen, refill);
          long lengthMs = refill.timeToEarnMs(milli);
          long fromMs = gen.instantMs();
          assertThat(refill.creditMilli(fromMs, fromMs + lengthMs)).isGreaterThanOrEqualTo(milli);
          assertThat(refill.creditMilli(fromMs, fromMs + lengthMs - 1))
              .isLessThanOrEqualTo(milli); // a lucky phase, never more
        });
  }

  @Test
  void of_anyAmountAndPeriod_isRefusedExactlyWhenTheProductDoesNotFit() {
    int[] refused = new int[1];
    int ran =
        Laws.check(
            CASES,
            gen -> {
              long amountMilli = gen.scaled(Limit.MAX_TOKENS * Limit.MILLI);
              long periodMs = gen.scaled(Limit.MAX_PERIOD.toMillis());
              if (Gen.isComputable(amountMilli, periodMs)) {
                Refill refill = Refill.of(amountMilli, periodMs);
                long fromMs = gen.instantMs();
                long toMs = fromMs + gen.stretchMs();
                assertThat(refill.creditMilli(fromMs, toMs))
                    .isEqualTo(saturated(exactCredit(refill, fromMs, toMs)));
              } else {
                refused[0]++;
                assertThatThrownBy(() -> Refill.of(amountMilli, periodMs))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot be computed in 64 bits");
              }
            });
    if (ran == CASES) {
      assertThat(refused[0]).as("both sides were met").isBetween(CASES / 100, CASES / 2);
    }
  }

  @Test
  void creditMilli_claimedEveryMillisecondOfADay_equalsOneClaim() {
    assertThat(claimedInSteps(Refill.of(10_000, 60_000), 86_400_000, 1)).isEqualTo(14_400_000);
  }

  @Test
  void creditMilli_thousandADayClaimedEvery50Milliseconds_losesNothing() {
    assertThat(claimedInSteps(Refill.of(1_000_000, 86_400_000), 86_400_000, 50))
        .isEqualTo(1_000_000);
  }

  @Test
  void creditMilli_oneADayClaimedEverySevenMilliseconds_losesNothing() {
    assertThat(claimedInSteps(Refill.of(1_000, 86_400_000), 7 * 86_400_000L, 7)).isEqualTo(7_000);
  }

  /** As much as a thousand periods give, so that the instant is one that 64 bits can name. */
  private static long someThatComes(Gen gen, Refill refill) {
    return gen.scaled(refill.amountMilli() * 1_000);
  }

  private static long claimedInSteps(Refill refill, long lengthMs, long stepMs) {
    long sumMilli = 0;
    for (long ms = 0; ms < lengthMs; ms += stepMs) {
      sumMilli += refill.creditMilli(Gen.EPOCH_MS + ms, Gen.EPOCH_MS + ms + stepMs);
    }
    return sumMilli;
  }

  private static long saturated(BigInteger exact) {
    return exact.bitLength() < Long.SIZE ? exact.longValueExact() : Long.MAX_VALUE;
  }

  private static BigInteger exactCredit(Refill refill, long fromMs, long toMs) {
    return toMs <= fromMs
        ? BigInteger.ZERO
        : cumulative(refill, toMs).subtract(cumulative(refill, fromMs));
  }

  private static BigInteger cumulative(Refill refill, long ms) {
    BigInteger[] floor =
        BigInteger.valueOf(ms)
            .multiply(BigInteger.valueOf(refill.amountMilli()))
            .divideAndRemainder(BigInteger.valueOf(refill.periodMs()));
    return floor[1].signum() < 0 ? floor[0].subtract(BigInteger.ONE) : floor[0];
  }
}
