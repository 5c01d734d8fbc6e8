package dev.millrace.core.plan;

/**
 * What a write does to one limit and what it demands of the balance it meets.
 *
 * @param name which limit
 * @param addTokensMilli added to the balance: credit less consumption
 * @param addConsumedMilli added to the total that was ever consumed
 * @param minTokensMilli least balance that may be met, {@link #NO_FLOOR} for any
 * @param maxTokensMilli greatest balance that may be met, {@link #NO_CEILING} for any
 */
public record LimitChange(
    String name,
    long addTokensMilli,
    long addConsumedMilli,
    long minTokensMilli,
    long maxTokensMilli) {
  /** Any balance may be met, however low. */
  public static final long NO_FLOOR = Long.MIN_VALUE;

  /** Any balance may be met, however high. */
  public static final long NO_CEILING = Long.MAX_VALUE;

  /** A change without a demand. */
  public static LimitChange unconditional(String name, long addTokensMilli, long addConsumedMilli) {
    return new LimitChange(name, addTokensMilli, addConsumedMilli, NO_FLOOR, NO_CEILING);
  }

  /** Whether a least balance is demanded. */
  public boolean hasFloor() {
    return minTokensMilli != NO_FLOOR;
  }

  /** Whether a greatest balance is demanded. */
  public boolean hasCeiling() {
    return maxTokensMilli != NO_CEILING;
  }

  /** Whether {@code tokensMilli} is a balance that may be met. */
  public boolean accepts(long tokensMilli) {
    return minTokensMilli <= tokensMilli && tokensMilli <= maxTokensMilli;
  }
}
