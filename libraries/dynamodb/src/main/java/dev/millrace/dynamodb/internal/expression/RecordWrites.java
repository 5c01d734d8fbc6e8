package dev.millrace.dynamodb.internal.expression;

import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import dev.millrace.dynamodb.internal.item.StoredNumber;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.RecordAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * Changes of records as parts of a transaction. Every attribute has a placeholder: many of their
 * names are reserved.
 */
final class RecordWrites {
  private static final ReturnValuesOnConditionCheckFailure OLD_ITEM =
      ReturnValuesOnConditionCheckFailure.ALL_OLD;

  private static final String VERSION = "#" + RecordAttributes.VERSION;
  private static final String CHILDREN = "#" + RecordAttributes.CHILDREN;
  private static final String EXPECTED = ":expected";
  private static final String IS_EXPECTED = VERSION + " = " + EXPECTED;
  private static final Map<String, String> VERSION_NAME = Map.of(VERSION, RecordAttributes.VERSION);

  private RecordWrites() {}

  static TransactWriteItem of(String table, RecordChange change) {
    TransactWriteItem.Builder item = TransactWriteItem.builder();
    if (change instanceof RecordChange.Put put) {
      return put(table, put, item).build();
    }
    if (change instanceof RecordChange.Delete delete) {
      return item.delete(delete(table, delete)).build();
    }
    if (change instanceof RecordChange.AddChildren counted) {
      return item.update(count(table, counted)).build();
    }
    return item.conditionCheck(check(table, (RecordChange.Check) change)).build();
  }

  private static TransactWriteItem.Builder put(
      String table, RecordChange.Put put, TransactWriteItem.Builder item) {
    StoredRecord record = put.record();
    if (record.version() <= put.expectedVersion()) {
      throw new IllegalArgumentException(
          "version "
              + record.version()
              + " of "
              + record.key()
              + " must be greater than the expected one, "
              + put.expectedVersion());
    }
    if (put.expectedVersion() == RecordChange.Put.ABSENT) {
      return item.put(create(table, record));
    }
    return record instanceof EntityRecord entity
        ? item.update(update(table, entity, put.expectedVersion()))
        : item.put(replace(table, record, put.expectedVersion()));
  }

  private static Put create(String table, StoredRecord record) {
    Map<String, AttributeValue> item = new HashMap<>(RecordCodec.encode(record));
    if (record instanceof EntityRecord) {
      item.put(RecordAttributes.CHILDREN, StoredNumber.of(0)); // nobody can have it as a parent
    }
    return Put.builder()
        .tableName(table)
        .item(item)
        .conditionExpression(PlanRequests.NEW_ITEM)
        .returnValuesOnConditionCheckFailure(OLD_ITEM)
        .build();
  }

  private static Put replace(String table, StoredRecord record, long expectedVersion) {
    return Put.builder()
        .tableName(table)
        .item(RecordCodec.encode(record))
        .conditionExpression(IS_EXPECTED)
        .expressionAttributeNames(VERSION_NAME)
        .expressionAttributeValues(Map.of(EXPECTED, StoredNumber.of(expectedVersion)))
        .returnValuesOnConditionCheckFailure(OLD_ITEM)
        .build();
  }

  /** All but the children: they are counted meanwhile, under no version. */
  private static Update update(String table, EntityRecord entity, long expectedVersion) {
    TreeMap<String, AttributeValue> attributes = new TreeMap<>(RecordCodec.encode(entity));
    attributes.remove(Attributes.PK);
    attributes.remove(Attributes.SK);
    attributes.remove(RecordAttributes.CHILDREN);
    UpdateText.Builder clauses = UpdateText.builder();
    Map<String, AttributeValue> values = new HashMap<>();
    attributes.forEach(
        (attribute, value) -> {
          clauses.name("#" + attribute, attribute);
          clauses.set("#" + attribute, ":" + attribute);
          values.put(":" + attribute, value);
        });
    for (String attribute : RecordCodec.OPTIONAL_OF_ENTITY) {
      if (!attributes.containsKey(attribute)) {
        clauses.name("#" + attribute, attribute);
        clauses.remove("#" + attribute);
      }
    }
    clauses.demand(IS_EXPECTED);
    values.put(EXPECTED, StoredNumber.of(expectedVersion));
    return update(table, entity.key(), clauses, values);
  }

  private static Update count(String table, RecordChange.AddChildren counted) {
    UpdateText.Builder clauses = UpdateText.builder();
    Map<String, AttributeValue> values = new HashMap<>();
    clauses.name(CHILDREN, RecordAttributes.CHILDREN);
    clauses.add(CHILDREN, ":delta");
    values.put(":delta", StoredNumber.of(counted.delta()));
    clauses.demand(CHILDREN + " >= :least"); // what is not there is not greater than anything
    values.put(
        ":least", StoredNumber.of(counted.delta() < 0 ? Math.negateExact(counted.delta()) : 0));
    if (counted.expectedVersion() != RecordChange.AddChildren.ANY) {
      clauses.name(VERSION, RecordAttributes.VERSION);
      clauses.demand(IS_EXPECTED);
      values.put(EXPECTED, StoredNumber.of(counted.expectedVersion()));
    }
    return update(table, counted.key(), clauses, values);
  }

  private static Update update(
      String table, RecordKey key, UpdateText.Builder clauses, Map<String, AttributeValue> values) {
    UpdateText text = clauses.build();
    return Update.builder()
        .tableName(table)
        .key(RecordCodec.key(key))
        .updateExpression(text.update())
        .conditionExpression(text.condition())
        .expressionAttributeNames(text.names())
        .expressionAttributeValues(values)
        .returnValuesOnConditionCheckFailure(OLD_ITEM)
        .build();
  }

  private static Delete delete(String table, RecordChange.Delete delete) {
    Map<String, String> names = new HashMap<>(VERSION_NAME);
    Map<String, AttributeValue> values = new HashMap<>();
    values.put(EXPECTED, StoredNumber.of(delete.expectedVersion()));
    String condition = IS_EXPECTED;
    if (delete.key() instanceof RecordKey.Entity) {
      condition += " AND " + CHILDREN + " = :none";
      names.put(CHILDREN, RecordAttributes.CHILDREN);
      values.put(":none", StoredNumber.of(0));
    }
    return Delete.builder()
        .tableName(table)
        .key(RecordCodec.key(delete.key()))
        .conditionExpression(condition)
        .expressionAttributeNames(names)
        .expressionAttributeValues(values)
        .returnValuesOnConditionCheckFailure(OLD_ITEM)
        .build();
  }

  private static ConditionCheck check(String table, RecordChange.Check check) {
    return ConditionCheck.builder()
        .tableName(table)
        .key(RecordCodec.key(check.key()))
        .conditionExpression(IS_EXPECTED)
        .expressionAttributeNames(VERSION_NAME)
        .expressionAttributeValues(Map.of(EXPECTED, StoredNumber.of(check.expectedVersion())))
        .returnValuesOnConditionCheckFailure(OLD_ITEM)
        .build();
  }
}
