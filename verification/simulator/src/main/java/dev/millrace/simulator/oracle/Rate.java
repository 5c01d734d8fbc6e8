package dev.millrace.simulator.oracle;

import dev.millrace.Limit.Refill;
import java.math.BigInteger;

/**
 * The rate of a limit, computed with whole numbers of any size. Where all products fit 64 bits they
 * are formed there; that is checked each time and decides nothing but the speed.
 *
 * <p>The credit is formed otherwise than in production, which counts whole periods: here the
 * remainder of {@code from × amount ÷ period} is carried over to the stretch that follows,
 *
 * <pre>
 *   C(to) − C(from) = floor(((to − from) × amount + (from × amount mod period)) / period)
 * </pre>
 */
final class Rate {
  /** Greater than every sum of a few balances and ceilings: what earns more has filled up. */
  static final long MOST_MILLI = 1L << 62;

  private static final long MICROS = 1_000;
  private static final BigInteger MOST = BigInteger.valueOf(MOST_MILLI);

  private final long amount;
  private final long periodMs;
  private final long periodMicros;

  private Rate(long amount, long periodMs) {
    this.amount = amount;
    this.periodMs = periodMs;
    this.periodMicros = periodMs * MICROS;
  }

  static Rate of(Refill refill) {
    long divisor =
        BigInteger.valueOf(refill.amountMilli())
            .gcd(BigInteger.valueOf(refill.periodMs()))
            .longValueExact();
    return new Rate(refill.amountMilli() / divisor, refill.periodMs() / divisor);
  }

  /** {@code C(to) − C(from)}, at most {@link #MOST_MILLI}; 0 when time did not advance. */
  long creditMilli(long fromMs, long toMs) {
    if (toMs <= fromMs) {
      return 0;
    }
    long restMs = Math.floorMod(fromMs, periodMs);
    long elapsedMs = toMs - fromMs;
    if (elapsedMs > 0 && fits(restMs, amount) && fits(elapsedMs, amount)) {
      long sum = elapsedMs * amount + restMs * amount % periodMs;
      if (sum >= 0) {
        return Math.min(sum / periodMs, MOST_MILLI);
      }
    }
    return cumulated(toMs).subtract(cumulated(fromMs)).min(MOST).longValueExact();
  }

  /** The first millisecond t with {@code C(t) ≥ C(from) + milli}, for a positive {@code milli}. */
  BigInteger earnedAtMs(long fromMs, BigInteger milli) {
    BigInteger target = cumulated(fromMs).add(milli);
    return ceilDivide(target.multiply(BigInteger.valueOf(periodMs)), BigInteger.valueOf(amount));
  }

  /** What {@code C(t)} leaves when it is divided by {@code divisor}. */
  long cumulatedModulo(long atMs, int divisor) {
    return atMs >= 0 && fits(atMs, amount)
        ? atMs * amount / periodMs % divisor
        : cumulated(atMs).mod(BigInteger.valueOf(divisor)).longValueExact();
  }

  /** {@code C(t)}. */
  private BigInteger cumulated(long atMs) {
    return floorDivide(
        BigInteger.valueOf(atMs).multiply(BigInteger.valueOf(amount)),
        BigInteger.valueOf(periodMs));
  }

  /** What flows in so many microseconds, without the fraction, at most {@link #MOST_MILLI}. */
  long flowMilli(long micros) {
    return fits(micros, amount)
        ? Math.min(micros * amount / periodMicros, MOST_MILLI)
        : wideFlow(micros)[0].min(MOST).longValueExact();
  }

  /** The fraction that {@link #flowMilli} leaves out, in parts of {@link #parts}. */
  long flowRest(long micros) {
    return fits(micros, amount)
        ? micros * amount % periodMicros
        : wideFlow(micros)[1].longValueExact();
  }

  /** Into how many parts a millitoken is divided so that a microsecond earns whole parts. */
  long parts() {
    return periodMicros;
  }

  double milliPerMicro() {
    return (double) amount / periodMicros;
  }

  private BigInteger[] wideFlow(long micros) {
    return BigInteger.valueOf(micros)
        .multiply(BigInteger.valueOf(amount))
        .divideAndRemainder(BigInteger.valueOf(periodMicros));
  }

  private static boolean fits(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0;
  }

  private static BigInteger floorDivide(BigInteger a, BigInteger b) {
    BigInteger[] result = a.divideAndRemainder(b);
    return result[1].signum() < 0 ? result[0].subtract(BigInteger.ONE) : result[0];
  }

  private static BigInteger ceilDivide(BigInteger a, BigInteger b) {
    return floorDivide(a.negate(), b).negate();
  }
}
