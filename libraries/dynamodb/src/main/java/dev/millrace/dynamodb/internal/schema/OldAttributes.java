package dev.millrace.dynamodb.internal.schema;

/**
 * Attributes of buckets from before there were shards. Those of schema version 2, one item for all
 * limits, are the same as today's ({@link BucketAttributes}, {@link LimitField}); these are the
 * ones of version 1, an item for each limit, and those that tell that a bucket was carried over.
 */
public final class OldAttributes {
  /** Balance in millitokens. */
  public static final String TOKENS = "tokens_milli";

  /** Refill timestamp in epoch milliseconds: each limit has its own. */
  public static final String REFILLED_AT = "last_refill_ms";

  /** Capacity in millitokens. */
  public static final String CAPACITY = "capacity_milli";

  /** Ceiling of the balance in millitokens; absent when it is the capacity. */
  public static final String BURST = "burst_milli";

  /** Millitokens that return in one period. */
  public static final String REFILL_AMOUNT = "refill_amount_milli";

  /** The period in milliseconds. */
  public static final String REFILL_PERIOD = "refill_period_ms";

  /** Everything that was ever consumed, in millitokens; absent when nobody counted. */
  public static final String CONSUMED = "total_consumed_milli";

  /** There when the bucket was carried over: the schema version that it was of. */
  public static final String MOVED = "moved";

  /** The refill timestamp that was carried over. */
  public static final String MOVED_REFILLED_AT = "moved_rf";

  private static final String PREFIX = "moved_";

  private OldAttributes() {}

  /** The balance of a limit that was carried over, less what was charged late. */
  public static String movedTokens(String limitName) {
    return PREFIX + limitName + "_tk";
  }

  /** The counter of a limit that was carried over, with what was charged late. */
  public static String movedConsumed(String limitName) {
    return PREFIX + limitName + "_tc";
  }

  /** The counter of a limit up to which the item of all limits is accounted for. */
  public static String movedOfComposite(String limitName) {
    return PREFIX + limitName + "_all";
  }

  /** The counter of a limit up to which its own item is accounted for. */
  public static String movedOfOwnItem(String limitName) {
    return PREFIX + limitName + "_own";
  }
}
