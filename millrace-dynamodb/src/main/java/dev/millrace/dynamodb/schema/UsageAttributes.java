package dev.millrace.dynamodb.schema;

import dev.millrace.core.usage.UsageWrite;
import org.jspecify.annotations.Nullable;

/** Attributes of an item of usage besides the keys. */
public final class UsageAttributes {
  /** Entity id. */
  public static final String ENTITY_ID = "entity_id";

  /** Resource. */
  public static final String RESOURCE = "resource";

  /** The window, as it stands in the key. */
  public static final String WINDOW = "window";

  /** When it begins, as it stands in the key. */
  public static final String START = "start";

  /** In how many records something was consumed. */
  public static final String EVENTS = "events";

  /** The sequence numbers of records that were added after their turn: a set of texts. */
  public static final String LATE = "late";

  private static final String TOTAL_PREFIX = "t_";
  private static final String SEEN_PREFIX = "s_";
  private static final String BEFORE_SHARDS = "old";

  private UsageAttributes() {}

  /** What was consumed of {@code limit}, in millitokens. */
  public static String total(String limit) {
    return TOTAL_PREFIX + limit;
  }

  /** The limit of which {@code attribute} is the total, null when it is none. */
  public static @Nullable String limitOf(String attribute) {
    return attribute.startsWith(TOTAL_PREFIX) ? attribute.substring(TOTAL_PREFIX.length()) : null;
  }

  /**
   * The sequence number of the last record of a bucket shard that was added. A text: a number of
   * DynamoDB has fewer digits.
   */
  public static String seen(int shard) {
    return SEEN_PREFIX
        + (shard == UsageWrite.BEFORE_SHARDS ? BEFORE_SHARDS : Integer.toString(shard));
  }

  /** The bucket shard of which {@code attribute} is the last number, null when it is none. */
  public static @Nullable Integer shardOf(String attribute) {
    if (!attribute.startsWith(SEEN_PREFIX)) {
      return null;
    }
    String shard = attribute.substring(SEEN_PREFIX.length());
    if (shard.equals(BEFORE_SHARDS)) {
      return UsageWrite.BEFORE_SHARDS;
    }
    try {
      return Integer.valueOf(shard);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
