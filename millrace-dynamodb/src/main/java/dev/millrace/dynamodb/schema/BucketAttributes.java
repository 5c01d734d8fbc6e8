package dev.millrace.dynamodb.schema;

/**
 * Attributes of a bucket besides the keys and those of its limits ({@link LimitField}). Short,
 * because their names are stored and paid for in every item.
 */
public final class BucketAttributes {
  /** Entity id. */
  public static final String ENTITY_ID = "entity_id";

  /** Resource. */
  public static final String RESOURCE = "resource";

  /** How many shards the bucket is divided into. */
  public static final String SHARD_COUNT = "shard_count";

  /** Refill timestamp in epoch milliseconds, and the optimistic lock. */
  public static final String REFILLED_AT = "rf";

  /** The id of the last write. */
  public static final String OP = "op";

  /** The version of the resolution that its limits come from; absent for none. */
  public static final String CONFIG_VERSION = "cv";

  /** The level that its limits come from ({@link StoredLevel}); absent when a call gave them. */
  public static final String LEVEL = "lv";

  /** There when the bucket is switched off, whatever its value. */
  public static final String OFF = "off";

  private BucketAttributes() {}
}
