package dev.millrace.regions.internal.ledger;

import java.math.BigInteger;

/** Parts per million, in which shares of a global limit are counted. Integers only. */
public final class Ppm {
  /** All of a limit. */
  public static final int WHOLE = 1_000_000;

  /** The maximum of {@link #ratio}; larger ratios are not distinguished. */
  public static final long MAX_RATIO = 1_000L * WHOLE;

  private Ppm() {}

  /**
   * {@code floor(amount × ppm / WHOLE)} of an amount that is not negative and a share from 0 to
   * {@link #WHOLE}. Rounded down, so that the parts of several shares never exceed the whole.
   */
  public static long partOf(long amount, long ppm) {
    return partOf(amount, ppm, WHOLE);
  }

  /**
   * {@code floor(amount × part / whole)} of an amount that is not negative and {@code 0 ≤ part ≤
   * whole ≤ WHOLE}. The amount is divided first, so that nothing exceeds 64 bits.
   */
  public static long partOf(long amount, long part, long whole) {
    return amount / whole * part + amount % whole * part / whole; // down: no region gains
  }

  /** {@code amount} in parts per million of {@code of}, at most {@link #MAX_RATIO}. */
  public static long ratio(long amount, long of) {
    if (amount <= 0) {
      return 0;
    }
    if (amount <= Long.MAX_VALUE / WHOLE) {
      return Math.min(amount * WHOLE / of, MAX_RATIO);
    }
    return BigInteger.valueOf(amount)
        .multiply(BigInteger.valueOf(WHOLE))
        .divide(BigInteger.valueOf(of))
        .min(BigInteger.valueOf(MAX_RATIO))
        .longValue();
  }
}
