package dev.millrace.dynamodb.internal.schema;

import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageSource;
import dev.millrace.core.spi.usage.UsageWrite;
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

  /** Between a mark and the label of its stream. */
  private static final String STREAM_MARK = "@";

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
   * The sequence number of the last record of a bucket shard that was added, of one stream. A text:
   * a number of DynamoDB has fewer digits.
   */
  public static String seen(UsageSource source) {
    int shard = source.shard();
    return SEEN_PREFIX
        + (shard == UsageWrite.BEFORE_SHARDS ? BEFORE_SHARDS : Integer.toString(shard))
        + suffix(source.stream());
  }

  /** The source of which {@code attribute} is the last number, null when it is none. */
  public static @Nullable UsageSource sourceOf(String attribute) {
    if (!attribute.startsWith(SEEN_PREFIX)) {
      return null;
    }
    int end = attribute.indexOf(STREAM_MARK);
    String shard = attribute.substring(SEEN_PREFIX.length(), end < 0 ? attribute.length() : end);
    String stream = end < 0 ? UsageSource.UNNAMED : attribute.substring(end + 1);
    try {
      return new UsageSource(
          stream, shard.equals(BEFORE_SHARDS) ? UsageWrite.BEFORE_SHARDS : Integer.parseInt(shard));
    } catch (IllegalArgumentException e) { // also a number that is none
      return null;
    }
  }

  /** A record that was added after its turn, as it is in the set. */
  public static String late(UsageWrite.Late late) {
    return late.number().digits() + suffix(late.stream());
  }

  /** The record that {@code text} stands for in the set. */
  public static UsageWrite.Late lateOf(String text) {
    int end = text.indexOf(STREAM_MARK);
    return end < 0
        ? new UsageWrite.Late(new SequenceNumber(text))
        : new UsageWrite.Late(text.substring(end + 1), new SequenceNumber(text.substring(0, end)));
  }

  private static String suffix(String stream) {
    return stream.equals(UsageSource.UNNAMED) ? "" : STREAM_MARK + stream;
  }
}
