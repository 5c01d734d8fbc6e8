package dev.millrace.dynamodb.internal.item;

import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageSource;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.PartitionKeys;
import dev.millrace.dynamodb.internal.schema.SortKeys;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The attributes of an item of usage, and the item read. It is only ever written by an update. */
public final class UsageCodec {
  public static final String ENTITY_ID = "entity_id";
  public static final String RESOURCE = "resource";

  /** The window, as it stands in the key. */
  public static final String WINDOW = "window";

  /** The beginning of the window, as it stands in the key. */
  public static final String START = "start";

  /** The number of records in which something was consumed. */
  public static final String EVENTS = "events";

  /** The records that were added out of order: a set of texts. */
  public static final String LATE = "late";

  private static final String TOTAL_PREFIX = "t_";
  private static final String SEEN_PREFIX = "s_";
  private static final String BEFORE_SHARDS = "old";

  /** Between a mark and the label of its stream. */
  private static final String STREAM_MARK = "@";

  private UsageCodec() {}

  public static String total(String limit) {
    return TOTAL_PREFIX + limit;
  }

  /**
   * The attribute of the sequence number of the last record of a bucket shard that was added, of
   * one stream. A text: a number of DynamoDB has fewer digits.
   */
  public static String seen(UsageSource source) {
    int shard = source.shard();
    return SEEN_PREFIX
        + (shard == UsageWrite.BEFORE_SHARDS ? BEFORE_SHARDS : Integer.toString(shard))
        + suffix(source.stream());
  }

  /** A record that was added out of order, as it is in the set. */
  public static String late(UsageWrite.Late late) {
    return late.number().digits() + suffix(late.stream());
  }

  private static String suffix(String stream) {
    return stream.equals(UsageSource.UNNAMED) ? "" : STREAM_MARK + stream;
  }

  public static ItemAddress address(UsageKey key) {
    return new ItemAddress(
        PartitionKeys.entity(key.namespace(), key.entityId()),
        SortKeys.usage(key.resource(), key.window().toString(), key.startText()));
  }

  public static Map<String, AttributeValue> key(UsageKey key) {
    ItemAddress address = address(key);
    return Attributes.key(address.partition(), address.sort());
  }

  /** The usage in {@code item}, identified by the item's own key. */
  public static UsageItem decode(Map<String, AttributeValue> item) {
    ItemAddress address = Attributes.address(item);
    ItemReader reader = new ItemReader(address, item);
    try {
      return decode(keyOf(address, reader), reader);
    } catch (IllegalArgumentException e) { // also a number that is none
      throw ItemReader.corrupt(address, String.valueOf(e.getMessage()), e);
    }
  }

  private static UsageKey keyOf(ItemAddress address, ItemReader item) {
    UsageKey key =
        new UsageKey(
            PartitionKeys.namespaceOf(address.partition()),
            item.text(ENTITY_ID),
            item.text(RESOURCE),
            Window.parse(item.text(WINDOW)),
            UsageKey.parseStart(item.text(START)));
    if (!address(key).equals(address)) {
      throw item.corrupt("its attributes are not those of its key", null);
    }
    return key;
  }

  private static UsageItem decode(UsageKey key, ItemReader item) {
    Map<String, Long> totals = new HashMap<>();
    Map<UsageSource, SequenceNumber> seen = new HashMap<>();
    for (String attribute : item.item().keySet()) {
      @Nullable UsageSource source = sourceOf(attribute);
      if (attribute.startsWith(TOTAL_PREFIX)) {
        totals.put(attribute.substring(TOTAL_PREFIX.length()), item.saturated(attribute));
      } else if (source != null) {
        seen.put(source, new SequenceNumber(item.text(attribute)));
      }
    }
    return new UsageItem(
        key,
        totals,
        item.number(EVENTS, 0),
        seen,
        late(item),
        item.number(Attributes.TTL, UsageWrite.NEVER));
  }

  /** The source of which {@code attribute} is the last number, null when it is none. */
  private static @Nullable UsageSource sourceOf(String attribute) {
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

  private static Set<UsageWrite.Late> late(ItemReader item) {
    AttributeValue late = item.item().get(LATE);
    if (late == null) {
      return Set.of();
    }
    if (!late.hasSs()) {
      throw item.corrupt(LATE + " is not a set of texts", null);
    }
    Set<UsageWrite.Late> records = new HashSet<>();
    for (String text : late.ss()) {
      int end = text.indexOf(STREAM_MARK);
      SequenceNumber number = new SequenceNumber(end < 0 ? text : text.substring(0, end));
      records.add(
          end < 0
              ? new UsageWrite.Late(number)
              : new UsageWrite.Late(text.substring(end + 1), number));
    }
    return records;
  }
}
