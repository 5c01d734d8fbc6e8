package dev.millrace.cli.text;

import java.util.Locale;

/** Amounts in millitokens as numbers of tokens and as bars of characters. */
public final class Bars {
  private static final String PARTS = " ▏▎▍▌▋▊▉";
  private static final int EIGHTHS = 8;

  private Bars() {}

  /** A bar of {@code width} characters, as full as {@code value} is of {@code max}. */
  public static String of(long value, long max, int width) {
    double share = max <= 0 ? 0 : Math.max(0, Math.min(1, (double) value / max));
    int eighths = (int) Math.round(share * width * EIGHTHS);
    int part = eighths % EIGHTHS;
    String bar = "█".repeat(eighths / EIGHTHS) + (part == 0 ? "" : PARTS.charAt(part));
    return bar + "·".repeat(width - bar.length());
  }

  /** Whole tokens, rounded down: never more than there are. */
  public static String whole(long milli) {
    return String.format(Locale.ROOT, "%,d", Math.floorDiv(milli, 1_000));
  }

  /** {@code 1,234.5} for 1,234,500 thousandths. */
  public static String tokens(long milli) {
    return milli % 1_000 == 0
        ? String.format(Locale.ROOT, "%,d", milli / 1_000)
        : String.format(Locale.ROOT, "%,.3f", milli / 1e3).replaceAll("0+$", "");
  }
}
