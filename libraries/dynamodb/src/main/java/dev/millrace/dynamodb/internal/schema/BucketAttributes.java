package dev.millrace.dynamodb.internal.schema;

import dev.millrace.core.spi.bucket.WriteUnits;

/**
 * Attributes of a bucket besides the keys and those of its limits ({@link LimitField}). Short,
 * because their names are stored and paid for in every item.
 */
public final class BucketAttributes {
  public static final String ENTITY_ID = "entity_id";
  public static final String RESOURCE = "resource";

  /** How many shards there should be: the word of shard 0 counts. */
  public static final String SHARD_COUNT = "shard_count";

  /** The level at which the shard's share is sized; absent for 1, the whole. */
  public static final String SHARD_LEVEL = "sl";

  /**
   * The balance of the reserved limit {@link WriteUnits}, all that is stored of it; absent for 0.
   */
  public static final String WCU_TOKENS = LimitField.TOKENS.attribute(WriteUnits.NAME);

  /** Refill timestamp in epoch milliseconds, and the optimistic lock. */
  public static final String REFILLED_AT = "rf";

  public static final String OP = "op";

  /**
   * What {@link #OP} begins with when the write brought counters along from an older schema, so
   * that they are not taken for usage. No limiter's ids begin so.
   */
  public static final String CARRIED = "$";

  /** The versions of the records that its limits come from; absent for none. */
  public static final String CONFIG_VERSIONS = "cv";

  /** The level that its limits come from; absent when a call gave them. */
  public static final String LEVEL = "lv";

  /** There when the bucket is switched off, whatever its value. */
  public static final String OFF = "off";

  private BucketAttributes() {}
}
