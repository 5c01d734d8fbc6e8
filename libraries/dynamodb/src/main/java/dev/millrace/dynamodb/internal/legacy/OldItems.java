package dev.millrace.dynamodb.internal.legacy;

import dev.millrace.BucketKey;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.dynamodb.internal.item.ItemReader;
import dev.millrace.dynamodb.internal.item.StoredLimit;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.BucketAttributes;
import dev.millrace.dynamodb.internal.schema.OldBucketAddress;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/**
 * The items of one bucket from before there were shards. The attributes of schema version 2, one
 * item for all limits, are the same as today's; here are those of version 1, an item for each
 * limit, and those that mark a bucket as carried over.
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

  static final String TOKENS = "tokens_milli";
  static final String REFILLED_AT = "last_refill_ms";
  static final String CAPACITY = "capacity_milli";

  /** Absent when it is the capacity. */
  static final String BURST = "burst_milli";

  static final String REFILL_AMOUNT = "refill_amount_milli";
  static final String REFILL_PERIOD = "refill_period_ms";

  /** Absent when it was not counted. */
  static final String CONSUMED = "total_consumed_milli";

  /** Present when the bucket was carried over: the schema version that it was of. */
  static final String MOVED = "moved";

  /** The refill timestamp that was carried over. */
  static final String MOVED_REFILLED_AT = "moved_rf";

  public OldItems {
    perLimit = Collections.unmodifiableMap(new TreeMap<>(perLimit));
  }

  /** The balance of a limit that was carried over, less what was charged late. */
  static String movedTokens(String limitName) {
    return "moved_" + limitName + "_tk";
  }

  /** The counter of a limit that was carried over, with what was charged late. */
  static String movedConsumed(String limitName) {
    return "moved_" + limitName + "_tc";
  }

  /** The counter of a limit up to which the item of all limits is accounted for. */
  static String movedOfComposite(String limitName) {
    return "moved_" + limitName + "_all";
  }

  /** The counter of a limit up to which its own item is accounted for. */
  static String movedOfOwnItem(String limitName) {
    return "moved_" + limitName + "_own";
  }

  /**
   * Reads everything that a bucket had before there were shards, of either version, strongly
   * consistent. One page: more than that is refused by its number.
   */
  public static QueryRequest.Builder query(String table, BucketKey key) {
    return QueryRequest.builder()
        .tableName(table)
        .keyConditionExpression(
            Attributes.PK + " = :p AND " + Attributes.SK + " BETWEEN :first AND :last")
        .expressionAttributeValues(
            Map.of(
                ":p", AttributeValue.fromS(OldBucketAddress.partition(key)),
                ":first", AttributeValue.fromS(OldBucketAddress.first(key)),
                ":last", AttributeValue.fromS(OldBucketAddress.last(key))))
        .limit(MAX_PER_LIMIT + 2)
        .consistentRead(true)
        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL);
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

  public boolean isEmpty() {
    return composite == null && perLimit.isEmpty();
  }

  public boolean isMoved() {
    return composite != null && composite.containsKey(MOVED);
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

  Map<String, Long> ownCounters() {
    Map<String, Long> counters = new TreeMap<>();
    perLimit.forEach((name, item) -> counters.put(name, reader(item).number(CONSUMED, 0)));
    return counters;
  }

  /**
   * The consumption of old clients on a bucket after it was carried over, which is the growth of
   * its counters since: an old client that had a lease then settles on the old item, whatever its
   * balance. By limit, in millitokens, below zero for what was given back; without limits of which
   * nothing was consumed.
   */
  Map<String, Long> lateMilli() {
    ItemReader base = reader(requireComposite());
    Map<String, Long> late = new TreeMap<>();
    counters()
        .forEach(
            (limit, counter) ->
                late.merge(
                    limit,
                    SaturatedMath.subtract(counter, base.number(movedOfComposite(limit), 0)),
                    SaturatedMath::add));
    ownCounters()
        .forEach(
            (limit, counter) ->
                late.merge(
                    limit,
                    SaturatedMath.subtract(counter, base.number(movedOfOwnItem(limit), 0)),
                    SaturatedMath::add));
    late.values().removeIf(milli -> milli == 0);
    return late;
  }

  static ItemReader reader(Map<String, AttributeValue> item) {
    return new ItemReader(Attributes.address(item), item);
  }
}
