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
import dev.millrace.dynamodb.internal.schema.UsageAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An item of usage, read. What is written of it is only ever an update. */
public final class UsageCodec {
  private UsageCodec() {}

  /** Where an item of usage is. */
  public static ItemAddress address(UsageKey key) {
    return new ItemAddress(
        PartitionKeys.entity(key.namespace(), key.entityId()),
        SortKeys.usage(key.resource(), key.window().toString(), key.startText()));
  }

  /** The primary key of an item of usage. */
  public static Map<String, AttributeValue> key(UsageKey key) {
    ItemAddress address = address(key);
    return Attributes.key(address.partition(), address.sort());
  }

  /** The usage in {@code item}, which says itself whose it is. */
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
            item.text(UsageAttributes.ENTITY_ID),
            item.text(UsageAttributes.RESOURCE),
            Window.parse(item.text(UsageAttributes.WINDOW)),
            UsageKey.parseStart(item.text(UsageAttributes.START)));
    if (!address(key).equals(address)) {
      throw item.corrupt("its attributes are not those of its key", null);
    }
    return key;
  }

  private static UsageItem decode(UsageKey key, ItemReader item) {
    Map<String, Long> totals = new HashMap<>();
    Map<UsageSource, SequenceNumber> seen = new HashMap<>();
    for (Map.Entry<String, AttributeValue> attribute : item.item().entrySet()) {
      String limit = UsageAttributes.limitOf(attribute.getKey());
      @Nullable UsageSource source = UsageAttributes.sourceOf(attribute.getKey());
      if (limit != null) {
        totals.put(limit, item.saturated(attribute.getKey()));
      } else if (source != null) {
        seen.put(source, new SequenceNumber(item.text(attribute.getKey())));
      }
    }
    return new UsageItem(
        key,
        totals,
        item.number(UsageAttributes.EVENTS, 0),
        seen,
        late(item),
        item.number(Attributes.TTL, UsageWrite.NEVER));
  }

  private static Set<UsageWrite.Late> late(ItemReader item) {
    AttributeValue late = item.item().get(UsageAttributes.LATE);
    if (late == null) {
      return Set.of();
    }
    if (!late.hasSs()) {
      throw item.corrupt(UsageAttributes.LATE + " is not a set of texts", null);
    }
    Set<UsageWrite.Late> records = new HashSet<>();
    late.ss().forEach(text -> records.add(UsageAttributes.lateOf(text)));
    return records;
  }
}
