package dev.millrace.dynamodb.internal.item;

import dev.millrace.BucketKey;
import dev.millrace.NameRules;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.BucketAttributes;
import dev.millrace.dynamodb.internal.schema.LimitField;
import dev.millrace.dynamodb.internal.schema.OldBucketAddress;
import dev.millrace.dynamodb.internal.schema.SortKeys;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A change of a bucket's item as a reader of the table's stream sees it. Only what is needed is
 * read: the remainder of the item is the limiter's concern, and a newer version may have changed
 * it.
 *
 * @param key which bucket and shard; shard 0 for one from before there were shards
 * @param beforeShards whether the item is of the schema before shards
 * @param consumedMilli what was consumed by the change, in millitokens by limit, less than zero for
 *     what was given back; only limits for which it is not nothing
 * @param load how hard the shard is written, null when the item does not show it
 */
public record BucketChange(
    BucketKey key, boolean beforeShards, Map<String, Long> consumedMilli, @Nullable Load load) {
  /**
   * How hard a shard is written.
   *
   * @param wcuMilli the balance of the reserved limit at {@code refilledAtMs}
   */
  public record Load(Division division, long wcuMilli, long refilledAtMs) {}

  /**
   * Reads a change, null when the item at {@code address} is not a bucket.
   *
   * @param before the item before, empty when it was made by the change
   * @param after the item after
   * @throws IllegalArgumentException when a part of it is missing or makes no sense
   */
  public static @Nullable BucketChange read(
      ItemAddress address, Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
    boolean beforeShards = OldBucketAddress.matches(address);
    if (beforeShards && OldBucketAddress.isPerLimit(address)) {
      return null; // from before there were composite items: its own clients count their usage
    }
    if (!beforeShards
        && !(address.sort().equals(SortKeys.STATE)
            && BucketCodec.isPartition(address.partition()))) {
      return null;
    }
    BucketKey key =
        beforeShards
            ? OldBucketAddress.parse(address)
            : BucketCodec.parsePartition(address.partition());
    requireText(after, BucketAttributes.ENTITY_ID, key.entityId());
    requireText(after, BucketAttributes.RESOURCE, key.resource());
    return new BucketChange(
        key, beforeShards, consumed(before, after), beforeShards ? null : load(key, after));
  }

  /** An image that was cut short lacks them; in another item's they differ. */
  private static void requireText(
      Map<String, AttributeValue> item, String attribute, String expected) {
    AttributeValue value = item.get(attribute);
    if (value == null || !expected.equals(value.s())) {
      throw new IllegalArgumentException(attribute + " is not as in the key");
    }
  }

  private static Map<String, Long> consumed(
      Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
    if (isCarried(before, after)) {
      return Map.of(); // the counters were counted where they came from
    }
    if (level(after) < level(before)) {
      return Map.of(); // a merge: the counters of the other shard were added, and counted there
    }
    TreeMap<String, Long> consumed = new TreeMap<>();
    for (Map.Entry<String, AttributeValue> attribute : after.entrySet()) {
      String name = StoredLimit.limitOfCounter(attribute.getKey());
      if (name == null) {
        continue;
      }
      NameRules.requireLimitName(name);
      long milli = difference(attribute.getKey(), name, before, attribute.getValue());
      if (milli != 0) {
        consumed.put(name, milli);
      }
    }
    return consumed.isEmpty() ? Map.of() : consumed;
  }

  /** Whether the change is a carry-over from an older schema, by the id of the last write. */
  private static boolean isCarried(
      Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
    AttributeValue op = after.get(BucketAttributes.OP);
    return op != null
        && op.s() != null
        && op.s().startsWith(BucketAttributes.CARRIED)
        && !op.equals(before.get(BucketAttributes.OP));
  }

  private static long difference(
      String attribute, String name, Map<String, AttributeValue> before, AttributeValue after) {
    AttributeValue old = before.get(attribute);
    if (old == null
        && Arrays.stream(LimitField.values())
            .anyMatch(f -> before.containsKey(f.attribute(name)))) {
      return 0; // a limit that was not counted before: the base of the count is not known
    }
    String number = number(attribute, after);
    try {
      return StoredNumber.difference(number, old == null ? "0" : number(attribute, old));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(attribute + " did not change by a whole number", e);
    }
  }

  private static String number(String attribute, AttributeValue value) {
    String number = value.n();
    if (number == null) {
      throw new IllegalArgumentException(attribute + " is not a number");
    }
    return number;
  }

  private static int level(Map<String, AttributeValue> item) {
    return shards(item, BucketAttributes.SHARD_LEVEL);
  }

  private static int shards(Map<String, AttributeValue> item, String attribute) {
    AttributeValue value = item.get(attribute);
    if (value == null) {
      return 1;
    }
    String number = number(attribute, value);
    try {
      int shards = Integer.parseInt(number);
      if (shards >= 1 && shards <= BucketKey.MAX_SHARDS && Integer.bitCount(shards) == 1) {
        return shards;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(attribute + " is not a number of shards", e);
    }
    throw new IllegalArgumentException(attribute + " is not a number of shards");
  }

  /** The load is a hint: an item without one is not corrupt. */
  private static @Nullable Load load(BucketKey key, Map<String, AttributeValue> item) {
    AttributeValue wcu = item.get(BucketAttributes.WCU_TOKENS);
    AttributeValue refilledAt = item.get(BucketAttributes.REFILLED_AT);
    if (wcu == null || refilledAt == null || !item.containsKey(BucketAttributes.SHARD_COUNT)) {
      return null;
    }
    try {
      Division division = Division.of(shards(item, BucketAttributes.SHARD_COUNT), level(item));
      return key.shard() >= division.level()
          ? null
          : new Load(
              division,
              StoredNumber.saturated(number(BucketAttributes.WCU_TOKENS, wcu)),
              Long.parseLong(number(BucketAttributes.REFILLED_AT, refilledAt)));
    } catch (IllegalArgumentException e) { // also a number that is none
      return null;
    }
  }

  public static @Nullable ItemAddress addressOf(Map<String, AttributeValue> item) {
    AttributeValue partition = item.get(Attributes.PK);
    AttributeValue sort = item.get(Attributes.SK);
    return partition == null || partition.s() == null || sort == null || sort.s() == null
        ? null
        : new ItemAddress(partition.s(), sort.s());
  }
}
