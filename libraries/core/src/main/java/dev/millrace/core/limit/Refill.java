package dev.millrace.core.limit;

import org.jspecify.annotations.Nullable;

/**
 * How fast a limit returns: {@code amountMilli} millitokens every {@code periodMs} milliseconds,
 * continuously.
 *
 * <p>The credit between two instants is the difference of one cumulative floor,
 *
 * <pre>
 *   C(t)         = floor(t × amount / period)
 *   credit(a, b) = C(b) − C(a), 0 when b ≤ a
 * </pre>
 *
 * so it is additive: {@code credit(a, c) = credit(a, b) + credit(b, c)}. Touching a bucket often or
 * seldom cannot change what it earns, no remainder is stored, and any number of limits can share
 * one timestamp. {@code docs/design/bucket-maths.md} tells the story.
 *
 * <p>{@code C} itself outgrows 64 bits (ten million tokens a second since 1970), the credit does
 * not: time is split into whole periods and a rest, and only their differences are formed. The
 * fraction is kept in lowest terms so that the product of rest and amount fits; a refill for which
 * it does not is refused.
 */
public final class Refill {
  private final long amountMilli;
  private final long periodMs;

  /** The same fraction in lowest terms. */
  private final long amount;

  private final long period;

  private Refill(long amountMilli, long periodMs, long divisor) {
    this.amountMilli = amountMilli;
    this.periodMs = periodMs;
    this.amount = amountMilli / divisor;
    this.period = periodMs / divisor;
  }

  /** A refill of {@code amountMilli} every {@code periodMs}, both positive. */
  public static Refill of(long amountMilli, long periodMs) {
    if (amountMilli <= 0) {
      throw new IllegalArgumentException("refill amount " + amountMilli + " must be positive");
    }
    if (periodMs <= 0) {
      throw new IllegalArgumentException("refill period " + periodMs + " ms must be positive");
    }
    Refill refill = new Refill(amountMilli, periodMs, gcd(amountMilli, periodMs));
    if (Math.multiplyHigh(refill.amount, refill.period) != 0 || refill.amount * refill.period < 0) {
      throw new IllegalArgumentException(
          "refill of "
              + amountMilli
              + " millitokens every "
              + periodMs
              + " ms cannot be computed in 64 bits: choose a rounder amount or period");
    }
    return refill;
  }

  /** Millitokens that return in one period. */
  public long amountMilli() {
    return amountMilli;
  }

  /** The period in milliseconds. */
  public long periodMs() {
    return periodMs;
  }

  /**
   * Millitokens earned from {@code fromMs} to {@code toMs}; 0 when time did not advance, {@link
   * Long#MAX_VALUE} when the credit exceeds 64 bits (every ceiling is below that).
   */
  public long creditMilli(long fromMs, long toMs) {
    if (toMs <= fromMs) {
      return 0;
    }
    long fromPeriods = Math.floorDiv(fromMs, period);
    long toPeriods = Math.floorDiv(toMs, period);
    long wholeMilli = SaturatedMath.multiply(toPeriods - fromPeriods, amount);
    if (wholeMilli == Long.MAX_VALUE) {
      return Long.MAX_VALUE;
    }
    // down: the caller never gains
    long fromRestMilli = (fromMs - fromPeriods * period) * amount / period;
    long toRestMilli = (toMs - toPeriods * period) * amount / period;
    return SaturatedMath.add(wholeMilli, toRestMilli - fromRestMilli);
  }

  /**
   * The first instant at which {@code neededMilli} have been earned since {@code fromMs}: the least
   * {@code t ≥ fromMs} with {@code creditMilli(fromMs, t) ≥ neededMilli}. Exact to the millisecond;
   * {@link Long#MAX_VALUE} when that is beyond 64 bits.
   */
  public long earnedAtMs(long fromMs, long neededMilli) {
    if (neededMilli <= 0) {
      return fromMs;
    }
    long fromPeriods = Math.floorDiv(fromMs, period);
    long periodStartMs = fromPeriods * period;
    long fromRestMilli = (fromMs - periodStartMs) * amount / period;
    // C(t) ≥ k means t ≥ k × period / amount, counted from the start of fromMs's period.
    long targetMilli = SaturatedMath.add(fromRestMilli, neededMilli);
    long wholePeriods = targetMilli / amount;
    long restMilli = targetMilli % amount;
    long restMs =
        SaturatedMath.ceilDivide(restMilli * period, amount); // up: never earlier than it is true
    return SaturatedMath.add(
        periodStartMs, SaturatedMath.add(SaturatedMath.multiply(wholePeriods, period), restMs));
  }

  /** The rest that {@code C(t)} leaves when it is divided by {@code divisor}, at most 65,536. */
  public int earnedModulo(long timeMs, int divisor) {
    long periods = Math.floorDiv(timeMs, period);
    long restMilli = (timeMs - periods * period) * amount / period;
    long whole = Math.floorMod(periods, (long) divisor) * Math.floorMod(amount, (long) divisor);
    return (int) ((whole + restMilli % divisor) % divisor);
  }

  /** Milliseconds in which {@code milli} are earned, rounded up, whatever the phase. */
  public long timeToEarnMs(long milli) {
    if (milli <= 0) {
      return 0;
    }
    return SaturatedMath.add(
        SaturatedMath.multiply(milli / amount, period),
        SaturatedMath.ceilDivide(milli % amount * period, amount));
  }

  private static long gcd(long a, long b) {
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Refill that
        && amountMilli == that.amountMilli
        && periodMs == that.periodMs;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(amountMilli) * 31 + Long.hashCode(periodMs);
  }

  @Override
  public String toString() {
    return amountMilli + " millitokens every " + periodMs + " ms";
  }
}
