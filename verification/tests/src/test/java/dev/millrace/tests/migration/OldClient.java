package dev.millrace.tests.migration;

import static dev.millrace.tests.migration.OldTable.number;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * A client of schema version 2 with one limit: the four write paths of that design, each as a step
 * of its own, so that a test can put something between a read and its write.
 */
final class OldClient {
  private static final String SORT = "#BUCKET#" + OldTable.RESOURCE;

  private final OldTable table;
  private final String entity;
  private final Limit limit;

  OldClient(OldTable table, String entity, Limit limit) {
    this.table = table;
    this.entity = entity;
    this.limit = limit;
  }

  Map<String, AttributeValue> read() {
    return new HashMap<>(table.old(entity, SORT));
  }

  /** Acquires from what was read; returns whether it was admitted. */
  boolean acquire(Map<String, AttributeValue> seen, long milli, long nowMs) {
    if (seen.isEmpty()) {
      return create(milli, nowMs);
    }
    long refilledAtMs = value(seen, "rf");
    long refillMilli = limit.refill().creditMilli(refilledAtMs, nowMs);
    long effective =
        Math.min(value(seen, attribute("tk")) + refillMilli, value(seen, attribute("bx")));
    if (effective < milli) {
      return false;
    }
    return update(
            "ADD #tk :tk, #tc :tc SET rf = :now",
            "rf = :rf",
            Map.of(
                ":tk", number(refillMilli - milli),
                ":tc", number(milli),
                ":now", number(nowMs),
                ":rf", number(refilledAtMs)))
        || update(
            "ADD #tk :tk, #tc :tc",
            "#tk >= :tc",
            Map.of(":tk", number(-milli), ":tc", number(milli)));
  }

  /** Settles a lease, whatever the balance. */
  void adjust(long milli) {
    boolean made =
        update(
            "ADD #tk :tk, #tc :tc",
            "attribute_exists(PK) OR attribute_not_exists(PK)",
            Map.of(":tk", number(-milli), ":tc", number(milli)));
    if (!made) {
      throw new AssertionError("an adjust has no condition");
    }
  }

  private boolean create(long milli, long nowMs) {
    Map<String, AttributeValue> item =
        OldTable.composite(
            entity, nowMs, List.of(new LimitState(limit, limit.burstMilli() - milli, milli)));
    try {
      table.client.putItem(
          r -> r.tableName(table.name).item(item).conditionExpression("attribute_not_exists(PK)"));
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }

  private boolean update(String update, String condition, Map<String, AttributeValue> values) {
    Map<String, String> names = new HashMap<>();
    for (String field : List.of("tk", "tc")) {
      if ((update + condition).contains("#" + field)) {
        names.put("#" + field, attribute(field));
      }
    }
    try {
      table.client.updateItem(
          r ->
              r.tableName(table.name)
                  .key(OldTable.address("default/ENTITY#" + entity, SORT))
                  .updateExpression(update)
                  .conditionExpression(condition)
                  .expressionAttributeNames(names)
                  .expressionAttributeValues(values));
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }

  private String attribute(String field) {
    return "b_" + limit.name() + "_" + field;
  }

  private static long value(Map<String, AttributeValue> item, String attribute) {
    AttributeValue value = item.get(attribute);
    if (value == null) {
      throw new AssertionError("no " + attribute + " in " + item);
    }
    return Long.parseLong(value.n());
  }
}
