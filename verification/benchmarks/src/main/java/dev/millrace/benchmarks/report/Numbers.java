package dev.millrace.benchmarks.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Figures as people read them. */
public final class Numbers {
  private static final double WHOLE_FROM = 100;
  private static final double TENTHS_FROM = 10;
  private static final double THOUSANDTHS_FROM = 0.01;

  private static final MathContext SIX_DIGITS = new MathContext(6, RoundingMode.HALF_UP);

  private Numbers() {}

  /** Six digits: more would be noise, fewer would hide one write in a million. */
  public static double rounded(double value) {
    return Double.isFinite(value) ? new BigDecimal(value).round(SIX_DIGITS).doubleValue() : 0;
  }

  /** Nine places: one request too many in a hundred million shows, an error of the division not. */
  static double roundedFinely(double value) {
    return BigDecimal.valueOf(value).setScale(9, RoundingMode.HALF_UP).doubleValue();
  }

  /** With as many digits as say something. */
  public static String of(Object value) {
    if (!(value instanceof Number number)) {
      return String.valueOf(value);
    }
    double size = Math.abs(number.doubleValue());
    if (number instanceof Long || number instanceof Integer || size >= WHOLE_FROM) {
      return String.format(Locale.ROOT, "%,d", Math.round(number.doubleValue()));
    }
    String format =
        size >= TENTHS_FROM ? "%.1f" : size >= THOUSANDTHS_FROM || size == 0 ? "%.3f" : "%.6f";
    return String.format(Locale.ROOT, format, number.doubleValue());
  }
}
