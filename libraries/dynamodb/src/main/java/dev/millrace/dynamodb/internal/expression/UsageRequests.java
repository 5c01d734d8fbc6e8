package dev.millrace.dynamodb.internal.expression;

import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageSource;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.dynamodb.internal.item.StoredNumber;
import dev.millrace.dynamodb.internal.item.UsageCodec;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.PartitionKeys;
import dev.millrace.dynamodb.internal.schema.TableIndex;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Writes of usage as requests. Attributes that never change are set by each of them, so that the
 * first write need not be known, and only it writes an index.
 */
public final class UsageRequests {
  private UsageRequests() {}

  public static UpdateItemRequest.Builder update(String table, UsageWrite write) {
    UpdateClauses clauses = new UpdateClauses();
    UsageKey key = write.key();
    String window = key.window().toString();
    set(clauses, "e", UsageCodec.ENTITY_ID, text(key.entityId()));
    set(clauses, "r", UsageCodec.RESOURCE, text(key.resource()));
    set(clauses, "w", UsageCodec.WINDOW, text(window));
    set(clauses, "b", UsageCodec.START, text(key.startText()));
    TableIndex index = TableIndex.RESOURCE_RECORDS;
    String partition = PartitionKeys.resource(key.namespace(), key.resource());
    String sort = TableIndex.usageOfResource(window, key.startText(), key.entityId());
    set(clauses, "ip", index.partitionKey(), text(partition));
    set(clauses, "is", index.sortKey(), text(sort));
    if (write.expiresAtSeconds() != UsageWrite.NEVER) {
      set(clauses, "ttl", Attributes.TTL, StoredNumber.of(write.expiresAtSeconds()));
    }
    add(clauses, "n", UsageCodec.EVENTS, StoredNumber.of(write.events()));
    int limit = 0;
    for (Map.Entry<String, Long> added : new TreeMap<>(write.addMilli()).entrySet()) {
      AttributeValue milli = StoredNumber.of(added.getValue());
      add(clauses, "t" + limit++, UsageCodec.total(added.getKey()), milli);
    }
    if (write.guard() instanceof UsageWrite.InOrder inOrder) {
      inOrder(clauses, inOrder);
    } else {
      late(clauses, (UsageWrite.Late) write.guard());
    }
    return UpdateItemRequest.builder()
        .tableName(table)
        .key(UsageCodec.key(key))
        .updateExpression(clauses.setRemoveAdd())
        .conditionExpression(clauses.condition())
        .expressionAttributeNames(clauses.names)
        .expressionAttributeValues(clauses.values)
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
  }

  private static void set(
      UpdateClauses clauses, String placeholder, String attribute, AttributeValue value) {
    clauses.name("#" + placeholder, attribute);
    clauses.set("#" + placeholder, ":" + placeholder);
    clauses.values.put(":" + placeholder, value);
  }

  private static void add(
      UpdateClauses clauses, String placeholder, String attribute, AttributeValue value) {
    clauses.name("#" + placeholder, attribute);
    clauses.add("#" + placeholder, ":" + placeholder);
    clauses.values.put(":" + placeholder, value);
  }

  private static void inOrder(UpdateClauses clauses, UsageWrite.InOrder inOrder) {
    int i = 0;
    for (Map.Entry<Integer, UsageWrite.Run> run : new TreeMap<>(inOrder.runs()).entrySet()) {
      UsageSource source = new UsageSource(inOrder.stream(), run.getKey());
      clauses.name("#s" + i, UsageCodec.seen(source));
      clauses.set("#s" + i, ":l" + i);
      clauses.values.put(":l" + i, text(run.getValue().last().digits()));
      clauses.values.put(":f" + i, text(run.getValue().first().digits()));
      String condition = notSeen("#s" + i, ":f" + i);
      if (!inOrder.stream().equals(UsageSource.UNNAMED)) {
        // A mark from before marks had names: it is that of the first stream that comes.
        UsageSource unnamed = new UsageSource(UsageSource.UNNAMED, run.getKey());
        clauses.name("#o" + i, UsageCodec.seen(unnamed));
        clauses.remove("#o" + i);
        condition =
            "(#s%1$d < :f%1$d OR (attribute_not_exists(#s%1$d) AND %2$s))"
                .formatted(i, notSeen("#o" + i, ":f" + i));
      }
      clauses.require(condition);
      i++;
    }
  }

  private static String notSeen(String mark, String first) {
    return "(attribute_not_exists(" + mark + ") OR " + mark + " < " + first + ")";
  }

  private static void late(UpdateClauses clauses, UsageWrite.Late late) {
    String mark = UsageCodec.late(late);
    add(clauses, "late", UsageCodec.LATE, AttributeValue.fromSs(List.of(mark)));
    clauses.values.put(":one", text(mark));
    String condition = "NOT contains(#late, :one)";
    if (!late.stream().equals(UsageSource.UNNAMED)) {
      clauses.values.put(":old", text(UsageCodec.late(new UsageWrite.Late(late.number()))));
      condition = "(" + condition + " AND NOT contains(#late, :old))";
    }
    clauses.require("(attribute_not_exists(#late) OR " + condition + ")");
  }

  private static AttributeValue text(String value) {
    return AttributeValue.fromS(value);
  }
}
