package dev.millrace;

import dev.millrace.core.internal.SaturatedMath;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One limit: how much may be consumed at once ({@code burst}) and how fast it returns.
 *
 * <p>{@code capacity} is the quota that users are told, {@code burst} the ceiling of the balance,
 * at least the capacity. A new bucket starts at its ceiling, and refills while it is used: in an
 * interval up to the burst and what returns in that interval are admitted, so of three a day up to
 * five in the first 24 hours and three in each that follows. Amounts are whole tokens at the edge
 * and millitokens inside.
 *
 * @param name the name under which requests consume it
 * @param capacityMilli the quota in millitokens
 * @param burstMilli the ceiling in millitokens, at least {@code capacityMilli}
 * @param refill how fast it returns
 * @param soft whether it only meters: it is charged like any other, below zero if need be, and
 *     never a reason to refuse
 */
public record Limit(String name, long capacityMilli, long burstMilli, Refill refill, boolean soft) {
  /** Millitokens of one token. */
  public static final long MILLI = 1_000;

  /** Most tokens of a capacity, a burst, a refill or a request. */
  public static final long MAX_TOKENS = 1_000_000_000_000_000L;

  /** Longest refill period. */
  public static final Duration MAX_PERIOD = Duration.ofDays(366);

  /** Checks every rule; the message names the limit, the value and the rule. */
  public Limit {
    NameRules.requireLimitName(name);
    requireAmount(name, "capacity", capacityMilli);
    requireAmount(name, "burst", burstMilli);
    if (burstMilli < capacityMilli) {
      throw new IllegalArgumentException(
          "limit '"
              + name
              + "': burst "
              + tokens(burstMilli)
              + " is below the capacity "
              + tokens(capacityMilli));
    }
    requireAmount(name, "refill amount", refill.amountMilli());
    if (refill.periodMs() > MAX_PERIOD.toMillis()) {
      throw new IllegalArgumentException(
          "limit '"
              + name
              + "': refill period "
              + Duration.ofMillis(refill.periodMs())
              + " is longer than "
              + MAX_PERIOD.toDays()
              + " days");
    }
  }

  /** A limit that refuses. */
  public Limit(String name, long capacityMilli, long burstMilli, Refill refill) {
    this(name, capacityMilli, burstMilli, refill, /* soft= */ false);
  }

  /** {@code tokens} a second, at most so many at once. */
  public static Limit perSecond(String name, long tokens) {
    return custom(name, tokens, tokens, Duration.ofSeconds(1));
  }

  /** {@code tokens} a minute, at most so many at once. */
  public static Limit perMinute(String name, long tokens) {
    return custom(name, tokens, tokens, Duration.ofMinutes(1));
  }

  /** {@code tokens} an hour, at most so many at once. */
  public static Limit perHour(String name, long tokens) {
    return custom(name, tokens, tokens, Duration.ofHours(1));
  }

  /**
   * {@code tokens} a day, at most so many at once. It is no quota of a day: a full bucket gives all
   * at once and earns on, so that with 3 a day five fit into 24 hours, and with many almost twice
   * as many. For less, give {@link #custom} a smaller burst and amount.
   */
  public static Limit perDay(String name, long tokens) {
    return custom(name, tokens, tokens, Duration.ofDays(1));
  }

  /** At most {@code capacity} at once, {@code refillAmount} tokens every {@code refillPeriod}. */
  public static Limit custom(String name, long capacity, long refillAmount, Duration refillPeriod) {
    NameRules.requireLimitName(name);
    long capacityMilli = milli(name, "capacity", capacity);
    long refillMilli = milli(name, "refill amount", refillAmount);
    return new Limit(name, capacityMilli, capacityMilli, refill(name, refillMilli, refillPeriod));
  }

  /** The same limit with a higher ceiling: unused tokens are kept up to {@code burst}. */
  public Limit withBurst(long burst) {
    return new Limit(name, capacityMilli, milli(name, "burst", burst), refill, soft);
  }

  /** The same limit, which only meters. */
  public Limit asSoft() {
    return new Limit(name, capacityMilli, burstMilli, refill, /* soft= */ true);
  }

  /** Milliseconds in which an empty bucket fills to its ceiling, rounded up. */
  public long timeToFillMs() {
    return refill.timeToEarnMs(burstMilli);
  }

  private static Refill refill(String name, long refillMilli, Duration period) {
    if (period.compareTo(MAX_PERIOD) > 0) {
      throw new IllegalArgumentException(
          "limit '"
              + name
              + "': refill period "
              + period
              + " is longer than "
              + MAX_PERIOD.toDays()
              + " days");
    }
    if (period.isNegative()
        || period.isZero()
        || !period.equals(Duration.ofMillis(period.toMillis()))) {
      throw new IllegalArgumentException(
          "limit '"
              + name
              + "': refill period "
              + period
              + " must be a positive number of whole milliseconds");
    }
    try {
      return Refill.of(refillMilli, period.toMillis());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("limit '" + name + "': " + e.getMessage(), e);
    }
  }

  private static long milli(String name, String field, long tokens) {
    requireTokens(name, field, tokens);
    return tokens * MILLI;
  }

  private static void requireTokens(String name, String field, long tokens) {
    if (tokens <= 0 || tokens > MAX_TOKENS) {
      throw new IllegalArgumentException(
          "limit '" + name + "': " + field + " " + tokens + " must be from 1 to " + MAX_TOKENS);
    }
  }

  private static void requireAmount(String name, String field, long milli) {
    if (milli <= 0 || milli > MAX_TOKENS * MILLI) {
      throw new IllegalArgumentException(
          "limit '"
              + name
              + "': "
              + field
              + " "
              + tokens(milli)
              + " must be positive and at most "
              + MAX_TOKENS);
    }
  }

  /** Millitokens as a person reads them: {@code 1500} is {@code 1.5}. */
  public static String tokens(long milli) {
    return java.math.BigDecimal.valueOf(milli, 3).stripTrailingZeros().toPlainString();
  }

  /** The numbers first: they differ when anything does, and are compared millions of times. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Limit that
            && capacityMilli == that.capacityMilli
            && burstMilli == that.burstMilli
            && soft == that.soft
            && refill.equals(that.refill)
            && name.equals(that.name));
  }

  @Override
  public int hashCode() {
    return name.hashCode() * 31 + Long.hashCode(capacityMilli);
  }

  @Override
  public String toString() {
    return LimitNotation.format(this);
  }

  /**
   * The rate at which a limit returns: {@code amountMilli} millitokens every {@code periodMs}
   * milliseconds, continuously.
   *
   * <p>The credit between two instants is the difference of one cumulative floor,
   *
   * <pre>
   *   C(t)         = floor(t × amount / period)
   *   credit(a, b) = C(b) − C(a), 0 when b ≤ a
   * </pre>
   *
   * so it is additive: {@code credit(a, c) = credit(a, b) + credit(b, c)}. Touching a bucket often
   * or seldom cannot change what it earns, no remainder is stored, and any number of limits can
   * share one timestamp. {@code docs/design/bucket-maths.md} tells the story.
   *
   * <p>{@code C} itself outgrows 64 bits (ten million tokens a second since 1970), the credit does
   * not: time is split into whole periods and a rest, and only their differences are formed. The
   * fraction is kept in lowest terms so that the product of rest and amount fits; a refill for
   * which it does not is refused.
   */
  public static final class Refill {
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
      if (Math.multiplyHigh(refill.amount, refill.period) != 0
          || refill.amount * refill.period < 0) {
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
     * The first instant at which {@code neededMilli} have been earned since {@code fromMs}: the
     * least {@code t ≥ fromMs} with {@code creditMilli(fromMs, t) ≥ neededMilli}. Exact to the
     * millisecond; {@link Long#MAX_VALUE} when that is beyond 64 bits.
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
}
