package dev.millrace.dynamodb.internal.legacy;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.dynamodb.internal.item.ItemReader;
import dev.millrace.dynamodb.internal.item.StoredLimit;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.BucketAttributes;
import dev.millrace.dynamodb.internal.schema.OldAttributes;
import dev.millrace.dynamodb.internal.schema.OldBucketAddress;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The items of one bucket from before there were shards.
 *
 * @param composite the item of all limits, null when there is none
 * @param perLimit the items of one limit, by its name
 */
public record OldItems(
    BucketKey key,
    @Nullable Map<String, AttributeValue> composite,
    Map<String, Map<String, AttributeValue>> perLimit) {
  /** Most items of one limit that a bucket can have: a transaction writes a hundred. */
  public static final int MAX_PER_LIMIT = 64;

  /** Keeps the items as they are now. */
  public OldItems {
    perLimit = Collections.unmodifiableMap(new TreeMap<>(perLimit));
  }

  /** Those among {@code items} that are of {@code key}: a range of keys may have others. */
  public static OldItems of(BucketKey key, List<Map<String, AttributeValue>> items) {
    Map<String, AttributeValue> composite = null;
    Map<String, Map<String, AttributeValue>> perLimit = new TreeMap<>();
    ItemAddress whole = OldBucketAddress.composite(key);
    for (Map<String, AttributeValue> item : items) {
      ItemAddress address = Attributes.address(item);
      if (address.equals(whole)) {
        composite = item;
      } else if (address.sort().startsWith(whole.sort())
          && OldBucketAddress.isPerLimit(address)
          && OldBucketAddress.parse(address).equals(key)) {
        perLimit.put(OldBucketAddress.limitName(address), item);
      }
    }
    return new OldItems(key, composite, perLimit);
  }

  /** Whether there is nothing. */
  public boolean isEmpty() {
    return composite == null && perLimit.isEmpty();
  }

  /** Whether the bucket was carried over already. */
  public boolean isMoved() {
    return composite != null && composite.containsKey(OldAttributes.MOVED);
  }

  /**
   * Whether the item of all limits is half of one: an old client settled a lease on a bucket whose
   * old items had been cleaned up.
   */
  public boolean isFragment() {
    return composite != null && !composite.containsKey(BucketAttributes.REFILLED_AT);
  }

  /** The item of all limits, which there must be. */
  Map<String, AttributeValue> requireComposite() {
    if (composite == null) {
      throw new IllegalArgumentException(key + " was not carried over");
    }
    return composite;
  }

  /** The counters in the item of all limits, by limit. */
  Map<String, Long> counters() {
    Map<String, AttributeValue> item = requireComposite();
    ItemReader reader = reader(item);
    Map<String, Long> counters = new TreeMap<>();
    for (String attribute : item.keySet()) {
      String limit = StoredLimit.limitOfCounter(attribute);
      if (limit != null) {
        counters.put(limit, reader.number(attribute));
      }
    }
    return counters;
  }

  /** The counters in the items of one limit. */
  Map<String, Long> ownCounters() {
    Map<String, Long> counters = new TreeMap<>();
    perLimit.forEach(
        (name, item) -> counters.put(name, reader(item).number(OldAttributes.CONSUMED, 0)));
    return counters;
  }

  /** One of the items, read by what is in it. */
  static ItemReader reader(Map<String, AttributeValue> item) {
    return new ItemReader(Attributes.address(item), item);
  }
}
