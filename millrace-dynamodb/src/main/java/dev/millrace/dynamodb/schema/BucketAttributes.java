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

  private BucketAttributes() {}
}
