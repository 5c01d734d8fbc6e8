package dev.millrace.dynamodb.internal.expression;

import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageSource;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.dynamodb.internal.item.StoredNumber;
import dev.millrace.dynamodb.internal.item.UsageCodec;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.IndexKeys;
import dev.millrace.dynamodb.internal.schema.TableIndex;
import dev.millrace.dynamodb.internal.schema.UsageAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Writes of usage as requests. What never changes is set by each of them: then none need know
 * whether it is the first, and no index is written but by the first.
 */
public final class UsageRequests {
  private UsageRequests() {}

  /** The update that {@code write} is. */
  public static UpdateItemRequest.Builder update(String table, UsageWrite write) {
    Parts parts = new Parts();
    UsageKey key = write.key();
    parts.set("#e", UsageAttributes.ENTITY_ID, ":e", AttributeValue.fromS(key.entityId()));
    parts.set("#r", UsageAttributes.RESOURCE, ":r", AttributeValue.fromS(key.resource()));
    parts.set("#w", UsageAttributes.WINDOW, ":w", text(key.window().toString()));
    parts.set("#b", UsageAttributes.START, ":b", AttributeValue.fromS(key.startText()));
    TableIndex index = TableIndex.RESOURCE_RECORDS;
    parts.set("#ip", index.partitionKey(), ":ip", indexPartition(key));
    parts.set("#is", index.sortKey(), ":is", indexSort(key));
    if (write.expiresAtSeconds() != UsageWrite.NEVER) {
      parts.set("#ttl", Attributes.TTL, ":ttl", StoredNumber.of(write.expiresAtSeconds()));
    }
    parts.add("#n", UsageAttributes.EVENTS, ":n", StoredNumber.of(write.events()));
    int limit = 0;
    for (Map.Entry<String, Long> added : new TreeMap<>(write.addMilli()).entrySet()) {
      String attribute = UsageAttributes.total(added.getKey());
      parts.add("#t" + limit, attribute, ":t" + limit, StoredNumber.of(added.getValue()));
      limit++;
    }
    if (write.guard() instanceof UsageWrite.InOrder inOrder) {
      inOrder(parts, inOrder);
    } else {
      late(parts, (UsageWrite.Late) write.guard());
    }
    return UpdateItemRequest.builder()
        .tableName(table)
        .key(UsageCodec.key(key))
        .updateExpression(
            "SET "
                + String.join(", ", parts.sets)
                + (parts.removes.isEmpty() ? "" : " REMOVE " + String.join(", ", parts.removes))
                + " ADD "
                + String.join(", ", parts.adds))
        .conditionExpression(String.join(" AND ", parts.conditions))
        .expressionAttributeNames(parts.names)
        .expressionAttributeValues(parts.values)
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
  }

  private static void inOrder(Parts parts, UsageWrite.InOrder inOrder) {
    int i = 0;
    for (Map.Entry<Integer, UsageWrite.Run> run : new TreeMap<>(inOrder.runs()).entrySet()) {
      UsageSource source = new UsageSource(inOrder.stream(), run.getKey());
      String last = run.getValue().last().digits();
      parts.set("#s" + i, UsageAttributes.seen(source), ":l" + i, text(last));
      parts.values.put(":f" + i, text(run.getValue().first().digits()));
      String condition = notSeen("#s" + i, ":f" + i);
      if (!inOrder.stream().equals(UsageSource.UNNAMED)) {
        // A mark from before marks had names: it is that of the first stream that comes.
        UsageSource unnamed = new UsageSource(UsageSource.UNNAMED, run.getKey());
        parts.remove("#o" + i, UsageAttributes.seen(unnamed));
        condition =
            "(#s%1$d < :f%1$d OR (attribute_not_exists(#s%1$d) AND %2$s))"
                .formatted(i, notSeen("#o" + i, ":f" + i));
      }
      parts.conditions.add(condition);
      i++;
    }
  }

  private static String notSeen(String mark, String first) {
    return "(attribute_not_exists(" + mark + ") OR " + mark + " < " + first + ")";
  }

  private static void late(Parts parts, UsageWrite.Late late) {
    String mark = UsageAttributes.late(late);
    parts.add("#late", UsageAttributes.LATE, ":late", AttributeValue.fromSs(List.of(mark)));
    parts.values.put(":one", text(mark));
    String condition = "NOT contains(#late, :one)";
    if (!late.stream().equals(UsageSource.UNNAMED)) {
      parts.values.put(":old", text(UsageAttributes.late(new UsageWrite.Late(late.number()))));
      condition = "(" + condition + " AND NOT contains(#late, :old))";
    }
    parts.conditions.add("(attribute_not_exists(#late) OR " + condition + ")");
  }

  private static AttributeValue indexPartition(UsageKey key) {
    return text(IndexKeys.resource(key.namespace(), key.resource()));
  }

  private static AttributeValue indexSort(UsageKey key) {
    return text(
        IndexKeys.usageOfResource(key.window().toString(), key.startText(), key.entityId()));
  }

  private static AttributeValue text(String value) {
    return AttributeValue.fromS(value);
  }

  /** An update as it comes together. */
  private static final class Parts {
    private final List<String> sets = new ArrayList<>();
    private final List<String> removes = new ArrayList<>();
    private final List<String> adds = new ArrayList<>();
    private final List<String> conditions = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();

    void set(String name, String attribute, String value, AttributeValue to) {
      sets.add(name + " = " + value);
      names.put(name, attribute);
      values.put(value, to);
    }

    void remove(String name, String attribute) {
      removes.add(name);
      names.put(name, attribute);
    }

    void add(String name, String attribute, String value, AttributeValue what) {
      adds.add(name + " " + value);
      names.put(name, attribute);
      values.put(value, what);
    }
  }
}
