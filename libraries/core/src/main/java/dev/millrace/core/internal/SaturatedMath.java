package dev.millrace.core.internal;

/**
 * Sums and products that stop at the ends of 64 bits instead of wrapping. A balance that is too
 * large to write down is still a large balance; a wrapped one would be a debt.
 */
public final class SaturatedMath {
  private SaturatedMath() {}

  /** {@code a + b}, or the end of the range on its side. */
  public static long add(long a, long b) {
    long sum = a + b;
    boolean overflow = ((a ^ sum) & (b ^ sum)) < 0;
    return overflow ? (a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
  }

  /** {@code a − b}, or the end of the range on its side. */
  public static long subtract(long a, long b) {
    long difference = a - b;
    boolean overflow = ((a ^ b) & (a ^ difference)) < 0;
    return overflow ? (a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : difference;
  }

  /** {@code a × b} of two numbers that are not negative, or {@link Long#MAX_VALUE}. */
  public static long multiply(long a, long b) {
    long low = a * b;
    return Math.multiplyHigh(a, b) == 0 && low >= 0 ? low : Long.MAX_VALUE;
  }

  /** {@code a ÷ b} rounded up, of {@code a ≥ 0} and {@code b > 0}. */
  public static long ceilDivide(long a, long b) {
    return a / b + (a % b == 0 ? 0 : 1);
  }
}
