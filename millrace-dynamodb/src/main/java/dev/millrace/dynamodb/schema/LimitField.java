package dev.millrace.dynamodb.schema;

/** What a bucket item stores of each limit, as {@code b_{limit}_{suffix}}. */
public enum LimitField {
  /** Balance in millitokens; below zero is debt. */
  TOKENS("tk"),
  /** Capacity in millitokens. */
  CAPACITY("cp"),
  /** Ceiling of the balance in millitokens. */
  BURST("bx"),
  /** Millitokens that return in one period. */
  REFILL_AMOUNT("ra"),
  /** The period in milliseconds. */
  REFILL_PERIOD("rp"),
  /** Everything that was ever consumed, in millitokens: a counter. */
  CONSUMED("tc");

  private final String suffix;

  LimitField(String suffix) {
    this.suffix = suffix;
  }

  /** The two letters at the end of the attribute's name. */
  public String suffix() {
    return suffix;
  }

  /** The attribute of this field of the limit called {@code limitName}. */
  public String attribute(String limitName) {
    return LimitAttribute.PREFIX + limitName + LimitAttribute.SEPARATOR + suffix;
  }
}
