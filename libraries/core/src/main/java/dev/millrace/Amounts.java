package dev.millrace;

import dev.millrace.core.internal.SaturatedMath;
import java.util.Map;

/**
 * Amounts in millitokens, matched to a {@link LimitSet} by index. A limit may be named with 0,
 * which asks only that it is not in debt; one that is not named is not asked at all.
 */
public final class Amounts {
  private final LimitSet limits;
  private final long[] milli;
  private final int named;

  private Amounts(LimitSet limits, long[] milli, int named) {
    this.limits = limits;
    this.milli = milli;
    this.named = named;
  }

  /** Matches amounts in whole tokens; a limit that the set does not have is an error. */
  public static Amounts ofTokens(LimitSet limits, Map<String, Long> tokens) {
    long[] milli = new long[limits.size()];
    int named = 0;
    for (Map.Entry<String, Long> entry : tokens.entrySet()) {
      int index = requireIndex(limits, entry.getKey());
      milli[index] = requireTokens(entry.getKey(), entry.getValue()) * Limit.MILLI;
      named |= 1 << index;
    }
    return new Amounts(limits, milli, named);
  }

  private static long requireTokens(String limit, long tokens) {
    if (tokens < -Limit.MAX_TOKENS || tokens > Limit.MAX_TOKENS) {
      throw new IllegalArgumentException(
          "limit '"
              + limit
              + "': amount "
              + tokens
              + " must be from "
              + -Limit.MAX_TOKENS
              + " to "
              + Limit.MAX_TOKENS);
    }
    return tokens;
  }

  /** Amounts in millitokens by index; those that are zero count as not named. */
  public static Amounts ofMilli(LimitSet limits, long[] milli) {
    int named = 0;
    for (int i = 0; i < milli.length; i++) {
      named |= milli[i] == 0 ? 0 : 1 << i;
    }
    return new Amounts(limits, milli.clone(), named);
  }

  /** The index of {@code limit} in {@code limits}, or an error that lists the limits there are. */
  public static int requireIndex(LimitSet limits, String limit) {
    int index = limits.indexOf(limit);
    if (index < 0) {
      throw new IllegalArgumentException(
          "limit '" + limit + "' is not one of the limits of this bucket: " + limits.names());
    }
    return index;
  }

  /** The limits that the indexes refer to. */
  public LimitSet limits() {
    return limits;
  }

  /** Whether the limit at {@code index} is asked. */
  public boolean isNamed(int index) {
    return (named & (1 << index)) != 0;
  }

  /** The amount of the limit at {@code index}, 0 when it is not named. */
  public long milli(int index) {
    return milli[index];
  }

  /** Adds them to {@code sums} by index: all, or what is charged without what is given back. */
  public void addTo(long[] sums, boolean chargesOnly) {
    for (int i = 0; i < milli.length; i++) {
      sums[i] = SaturatedMath.add(sums[i], chargesOnly ? Math.max(0, milli[i]) : milli[i]);
    }
  }

  /**
   * Takes them from {@code balances} and adds them to {@code taken}.
   *
   * @return the limits that are named: bit by index
   */
  public int take(long[] balances, long[] taken) {
    for (int i = 0; i < milli.length; i++) {
      taken[i] = SaturatedMath.add(taken[i], milli[i]);
      balances[i] = SaturatedMath.subtract(balances[i], milli[i]);
    }
    return named;
  }

  /** The same amounts the other way: what was charged is given back. */
  public Amounts negated() {
    long[] negated = new long[milli.length];
    for (int i = 0; i < milli.length; i++) {
      negated[i] = -milli[i];
    }
    return ofMilli(limits, negated);
  }

  /** Whether less than nothing is asked of a limit: something is given back. */
  public boolean givesBack() {
    for (long each : milli) {
      if (each < 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether nothing is named. */
  public boolean isEmpty() {
    return named == 0;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < limits.size(); i++) {
      if (isNamed(i)) {
        text.append(text.isEmpty() ? "" : ", ")
            .append(limits.get(i).name())
            .append('=')
            .append(Limit.tokens(milli[i]));
      }
    }
    return text.toString();
  }
}
