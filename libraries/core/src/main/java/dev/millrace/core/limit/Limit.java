package dev.millrace.core.limit;

import dev.millrace.core.entity.Names;
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
    Names.requireLimitName(name);
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
    Names.requireLimitName(name);
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
}
