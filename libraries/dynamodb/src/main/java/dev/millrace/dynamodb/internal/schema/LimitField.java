package dev.millrace.dynamodb.internal.schema;

/** A field of a limit in a bucket item, stored as {@code b_{limit}_{suffix}}. */
public enum LimitField {
  /** Balance in millitokens; below zero is debt. */
  TOKENS("tk"),
  CAPACITY("cp"),
  /** Ceiling of the balance in millitokens. */
  BURST("bx"),
  /** Millitokens that return in one period. */
  REFILL_AMOUNT("ra"),
  REFILL_PERIOD("rp"),
  /** Everything that was ever consumed, in millitokens: a counter. */
  CONSUMED("tc"),
  /** 1 when the limit only meters; absent when it refuses. */
  SOFT("sf");

  /** What attributes of limits begin with in a bucket. */
  public static final String PREFIX = "b_";

  /** The same in a config, which has the parameters only. */
  public static final String CONFIG_PREFIX = "l_";

  /** Between the name of a limit and the suffix. */
  public static final char SEPARATOR = '_';

  private final String suffix;

  LimitField(String suffix) {
    this.suffix = suffix;
  }

  public String suffix() {
    return suffix;
  }

  /** Whether it is one of the limit's parameters, and not of what became of it in a bucket. */
  public boolean isParameter() {
    return this != TOKENS && this != CONSUMED;
  }

  public String attribute(String limitName) {
    return PREFIX + limitName + SEPARATOR + suffix;
  }

  public String configAttribute(String limitName) {
    return CONFIG_PREFIX + limitName + SEPARATOR + suffix;
  }
}
