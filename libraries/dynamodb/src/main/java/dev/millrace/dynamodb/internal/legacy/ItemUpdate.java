package dev.millrace.dynamodb.internal.legacy;

import dev.millrace.dynamodb.internal.schema.Attributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * One old item, changed or deleted only if it still is as it was read. Every number counts but the
 * expiry: balances, counters and timestamps are what its own clients write.
 */
final class ItemUpdate {
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
    if (condition.isEmpty()) { // of an item without a number, which nobody's client writes
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

  /** Changes it; it does not expire any more. */
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
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.NONE))
        .build();
  }

  /** Deletes it. */
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
