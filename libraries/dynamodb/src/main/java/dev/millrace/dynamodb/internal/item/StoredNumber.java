package dev.millrace.dynamodb.internal.item;

import java.math.BigDecimal;
import java.math.BigInteger;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Numbers as DynamoDB holds them: up to 38 digits, so that adding can go beyond 64 bits where the
 * core's arithmetic would have stopped. The reader decides what that means.
 */
public final class StoredNumber {
  /** Most digits that are looked at; DynamoDB stores magnitudes up to 10^126. */
  private static final int MAX_DIGITS = 128;

  private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private StoredNumber() {}

  public static AttributeValue of(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }

  /** A balance: one too large to hold is still a large balance, and a debt still a debt. */
  static long saturated(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return whole(text).max(MIN).min(MAX).longValue();
    }
  }

  /**
   * A counter: its lowest 64 bits. Readers of a counter take differences, which stay right across
   * the wrap; a counter that stopped at the end would count nothing from there on.
   */
  static long wrapped(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return whole(text).longValue();
    }
  }

  /** How much a counter grew, within 64 bits, wherever it stands. */
  static long difference(String after, String before) {
    try {
      return Math.subtractExact(Long.parseLong(after), Long.parseLong(before));
    } catch (NumberFormatException | ArithmeticException e) {
      try {
        return whole(after).subtract(whole(before)).longValueExact();
      } catch (ArithmeticException tooLarge) {
        throw new NumberFormatException("too large a difference");
      }
    }
  }

  private static BigInteger whole(String text) {
    BigDecimal value = new BigDecimal(text);
    if ((long) value.precision() - value.scale() > MAX_DIGITS) {
      throw new NumberFormatException("too many digits");
    }
    try {
      return value.toBigIntegerExact();
    } catch (ArithmeticException e) {
      throw new NumberFormatException("not a whole number");
    }
  }
}
