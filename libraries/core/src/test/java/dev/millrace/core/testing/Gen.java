package dev.millrace.core.testing;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import java.math.BigInteger;
import java.util.List;
import java.util.SplittableRandom;

/** The random values of one case. The same seed gives the same values in the same order. */
public final class Gen {
  /** 2024-01-01, so that times look like times. */
  public static final long EPOCH_MS = 1_704_067_200_000L;

  private final SplittableRandom random;

  Gen(long seed) {
    random = new SplittableRandom(seed);
  }

  /** A number from {@code min} to {@code max}, both included. */
  public long between(long min, long max) {
    return max == Long.MAX_VALUE ? random.nextLong(min, max) : random.nextLong(min, max + 1);
  }

  /** A number from 1 to {@code max}, small ones as likely as large ones. */
  public long scaled(long max) {
    int bits = (int) between(1, Long.SIZE - Long.numberOfLeadingZeros(max));
    long bound = bits == Long.SIZE - 1 ? Long.MAX_VALUE : (1L << bits) - 1;
    return between(1, Math.min(max, bound));
  }

  /** True once in {@code n}. */
  public boolean oneIn(int n) {
    return between(1, n) == 1;
  }

  /** One of them. */
  @SafeVarargs
  public final <T> T pick(T... values) {
    return values[(int) between(0, values.length - 1)];
  }

  /** One of them. */
  public <T> T pick(List<T> values) {
    return values.get((int) between(0, values.size() - 1));
  }

  /** From a token a day to ten million a second, with round and odd amounts and periods. */
  public Refill refill() {
    while (true) {
      long periodMs =
          oneIn(2)
              ? pick(1L, 100L, 1_000L, 60_000L, 3_600_000L, 86_400_000L)
              : scaled(Limit.MAX_PERIOD.toMillis());
      long amountMilli =
          oneIn(2) ? scaled(10_000_000L) * Limit.MILLI : scaled(10_000_000L * Limit.MILLI);
      if (isComputable(amountMilli, periodMs)) {
        return Refill.of(amountMilli, periodMs);
      }
    }
  }

  /** Whether the product of amount and period in lowest terms fits 63 bits: an oracle. */
  public static boolean isComputable(long amountMilli, long periodMs) {
    BigInteger amount = BigInteger.valueOf(amountMilli);
    BigInteger period = BigInteger.valueOf(periodMs);
    BigInteger divisor = amount.gcd(period);
    return amount.divide(divisor).multiply(period.divide(divisor)).bitLength() < Long.SIZE;
  }

  /** An instant: of these years mostly, sometimes around 1970, before it, or far ahead. */
  public long instantMs() {
    return switch ((int) between(0, 9)) {
      case 0 -> between(-1_000_000, 1_000_000);
      case 1 -> -scaled(10 * EPOCH_MS);
      case 2 -> scaled(100 * EPOCH_MS);
      default -> EPOCH_MS + between(-100_000_000_000L, 100_000_000_000L);
    };
  }

  /** A stretch of time, from a millisecond to a year. */
  public long stretchMs() {
    return scaled(Limit.MAX_PERIOD.toMillis());
  }
}
