package dev.millrace.dynamodb.internal.legacy;

import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.dynamodb.internal.expression.PlanRequests;
import dev.millrace.dynamodb.internal.item.StoredLimit;
import dev.millrace.dynamodb.internal.item.StoredNumber;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.BucketAttributes;
import dev.millrace.dynamodb.internal.schema.LimitField;
import dev.millrace.dynamodb.internal.schema.OldBucketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Fences the old items of a bucket that was carried over, which stay. Were they deleted, an old
 * client would make a new bucket in their place, full. Fenced they have a balance so low that no
 * refill lifts it above zero, and another refill timestamp, so that a write that was planned from
 * an earlier copy loses its lock: an old client is refused. What one of its leases settles
 * afterwards is seen in the counters ({@link OldItems#lateMilli}), because the item of all limits
 * keeps what they were.
 *
 * <p>There is such an item after every carry-over, also for a bucket that had an item for each
 * limit. Those are replaced as a whole by their clients, fence and all; it is not.
 */
final class Fences {
  /** A balance that 30 million tokens a second would not lift above zero within a year. */
  static final long BALANCE_MILLI = -1_000_000_000_000_000_000L;

  private static final AttributeValue BALANCE = StoredNumber.of(BALANCE_MILLI);

  private Fences() {}

  /**
   * Fences every old item of a bucket.
   *
   * @param carried the bucket as the old one would be today
   * @param merged whether there was one already: then its balance is not what was carried over
   */
  static List<TransactWriteItem> raise(
      String table, OldItems items, OldBucket old, BucketState carried, boolean merged) {
    List<TransactWriteItem> parts = new ArrayList<>();
    Map<String, AttributeValue> composite = items.composite();
    Map<String, AttributeValue> marks = marks(items, old, carried, merged);
    if (composite == null) {
      Map<String, AttributeValue> item = fenced(carried);
      item.putAll(marks);
      parts.add(
          TransactWriteItem.builder()
              .put(p -> p.tableName(table).item(item).conditionExpression(PlanRequests.NEW_ITEM))
              .build());
    } else {
      ItemUpdate update = new ItemUpdate(table, composite);
      for (LimitState limit : carried.limits()) {
        update.set(LimitField.TOKENS.attribute(limit.name()), BALANCE);
      }
      update.set(BucketAttributes.REFILLED_AT, moved(old.limits().get(0).refilledAtMs()));
      marks.forEach(update::set);
      parts.add(update.change());
    }
    for (Map<String, AttributeValue> item : items.perLimit().values()) {
      parts.add(perLimit(table, item));
    }
    return parts;
  }

  private static AttributeValue moved(long refilledAtMs) {
    return StoredNumber.of(SaturatedMath.add(refilledAtMs, 1));
  }

  private static Map<String, AttributeValue> marks(
      OldItems items, OldBucket old, BucketState carried, boolean merged) {
    Map<String, AttributeValue> marks = new HashMap<>();
    marks.put(OldItems.MOVED, StoredNumber.of(old.version()));
    marks.put(OldItems.MOVED_REFILLED_AT, StoredNumber.of(carried.refilledAtMs()));
    marks.put(BucketAttributes.OP, AttributeValue.fromS(carried.op()));
    for (LimitState limit : carried.limits()) {
      String name = limit.name();
      if (!merged) {
        marks.put(OldItems.movedTokens(name), StoredNumber.of(limit.tokensMilli()));
      }
      AttributeValue consumed = StoredNumber.of(limit.consumedMilli());
      marks.put(OldItems.movedConsumed(name), consumed);
      marks.put(OldItems.movedOfComposite(name), consumed);
    }
    items
        .ownCounters()
        .forEach(
            (name, counter) -> marks.put(OldItems.movedOfOwnItem(name), StoredNumber.of(counter)));
    return marks;
  }

  /** The item of all limits for a bucket that had none, so that no client makes it. */
  private static Map<String, AttributeValue> fenced(BucketState carried) {
    Map<String, AttributeValue> item =
        new HashMap<>(
            Attributes.key(
                OldBucketAddress.partition(carried.key()), OldBucketAddress.first(carried.key())));
    item.put(BucketAttributes.ENTITY_ID, AttributeValue.fromS(carried.key().entityId()));
    item.put(BucketAttributes.RESOURCE, AttributeValue.fromS(carried.key().resource()));
    item.put(BucketAttributes.REFILLED_AT, StoredNumber.of(carried.refilledAtMs()));
    for (LimitState limit : carried.limits()) {
      for (LimitField field : LimitField.values()) {
        if (field != LimitField.SOFT) {
          item.put(field.attribute(limit.name()), StoredLimit.of(limit, field));
        }
      }
      item.put(LimitField.TOKENS.attribute(limit.name()), BALANCE);
    }
    return item;
  }

  private static TransactWriteItem perLimit(String table, Map<String, AttributeValue> item) {
    long refilledAtMs = OldItems.reader(item).number(OldItems.REFILLED_AT, 0);
    return new ItemUpdate(table, item)
        .set(OldItems.TOKENS, BALANCE)
        .set(OldItems.REFILLED_AT, moved(refilledAtMs))
        .set(OldItems.MOVED, StoredNumber.of(OldBucket.PER_LIMIT))
        .change();
  }

  /** Whether an item of one limit has lost its fence: a client replaced it. */
  static boolean isBreached(OldItems items) {
    return items.perLimit().values().stream().anyMatch(item -> !item.containsKey(OldItems.MOVED));
  }

  /**
   * Notes that everything up to now is accounted for, and mends the fence.
   *
   * @param lateMilli what was charged for it
   */
  static List<TransactWriteItem> renew(
      String table, OldItems items, Map<String, Long> lateMilli, String op) {
    List<TransactWriteItem> parts = new ArrayList<>();
    Map<String, AttributeValue> composite = items.requireComposite();
    ItemUpdate update =
        new ItemUpdate(table, composite).set(BucketAttributes.OP, AttributeValue.fromS(op));
    items
        .counters()
        .forEach(
            (limit, counter) ->
                update.set(OldItems.movedOfComposite(limit), StoredNumber.of(counter)));
    items
        .ownCounters()
        .forEach(
            (limit, counter) ->
                update.set(OldItems.movedOfOwnItem(limit), StoredNumber.of(counter)));
    lateMilli.forEach(
        (limit, late) -> {
          add(update, composite, OldItems.movedConsumed(limit), late);
          add(update, composite, OldItems.movedTokens(limit), -late);
        });
    parts.add(update.change());
    for (Map<String, AttributeValue> item : items.perLimit().values()) {
      if (!item.containsKey(OldItems.MOVED)) {
        parts.add(perLimit(table, item));
      }
    }
    return parts;
  }

  /** Adds to a number, if it is there. */
  private static void add(
      ItemUpdate update, Map<String, AttributeValue> item, String attribute, long milli) {
    if (item.containsKey(attribute)) {
      long before = OldItems.reader(item).number(attribute);
      update.set(attribute, StoredNumber.of(SaturatedMath.add(before, milli)));
    }
  }

  static List<TransactWriteItem> delete(String table, OldItems items) {
    List<TransactWriteItem> parts = new ArrayList<>();
    parts.add(new ItemUpdate(table, items.requireComposite()).delete());
    for (Map<String, AttributeValue> item : items.perLimit().values()) {
      parts.add(new ItemUpdate(table, item).delete());
    }
    return parts;
  }

  /**
   * One old item, changed or deleted only if it still is as it was read. Every number counts but
   * the expiry: balances, counters and timestamps are what its own clients write.
   */
  private static final class ItemUpdate {
    private final String table;
    private final Map<String, AttributeValue> item;
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();
    private final List<String> set = new ArrayList<>();
    private final List<String> condition = new ArrayList<>();

    ItemUpdate(String table, Map<String, AttributeValue> item) {
      this.table = table;
      this.item = item;
      new TreeMap<>(item)
          .forEach(
              (attribute, value) -> {
                if (value.n() != null && !attribute.equals(Attributes.TTL)) {
                  condition.add(name(attribute) + " = " + value(value));
                }
              });
      if (condition.isEmpty()) { // of an item without a number, which no client writes
        condition.add("attribute_exists(" + Attributes.PK + ")");
      }
    }

    ItemUpdate set(String attribute, AttributeValue value) {
      set.add(name(attribute) + " = " + value(value));
      return this;
    }

    private String name(String attribute) {
      String placeholder = "#n" + names.size();
      names.put(placeholder, attribute);
      return placeholder;
    }

    private String value(AttributeValue value) {
      String placeholder = ":v" + values.size();
      values.put(placeholder, value);
      return placeholder;
    }

    TransactWriteItem change() {
      String remove = " REMOVE " + name(Attributes.TTL);
      return TransactWriteItem.builder()
          .update(
              u ->
                  u.tableName(table)
                      .key(key())
                      .updateExpression("SET " + String.join(", ", set) + remove)
                      .conditionExpression(String.join(" AND ", condition))
                      .expressionAttributeNames(names)
                      .expressionAttributeValues(values)
                      .returnValuesOnConditionCheckFailure(
                          ReturnValuesOnConditionCheckFailure.NONE))
          .build();
    }

    TransactWriteItem delete() {
      return TransactWriteItem.builder()
          .delete(
              d ->
                  d.tableName(table)
                      .key(key())
                      .conditionExpression(String.join(" AND ", condition))
                      .expressionAttributeNames(names.isEmpty() ? null : names)
                      .expressionAttributeValues(values.isEmpty() ? null : values))
          .build();
    }

    private Map<String, AttributeValue> key() {
      return Map.of(Attributes.PK, item.get(Attributes.PK), Attributes.SK, item.get(Attributes.SK));
    }
  }
}
