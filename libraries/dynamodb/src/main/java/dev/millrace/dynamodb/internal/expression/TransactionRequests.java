package dev.millrace.dynamodb.internal.expression;

import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import dev.millrace.dynamodb.internal.item.StoredNumber;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.ItemSize;
import dev.millrace.dynamodb.internal.schema.RecordAddress;
import dev.millrace.dynamodb.internal.schema.RecordAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Transactions of plans and of changes of records as requests. A plan has the same expressions as
 * when it is written alone, and like there every part asks for the item that refuses it. In the
 * changes of records every attribute has a placeholder: many of their names are reserved.
 */
public final class TransactionRequests {
  /** Write units of each started kilobyte: to prepare and to commit. */
  public static final int UNITS = 2;

  private static final ReturnValuesOnConditionCheckFailure OLD_ITEM =
      ReturnValuesOnConditionCheckFailure.ALL_OLD;

  private static final String VERSION = "#" + RecordAttributes.VERSION;
  private static final String CHILDREN = "#" + RecordAttributes.CHILDREN;
  private static final String EXPECTED = ":expected";

  private TransactionRequests() {}

  /** The request: first the plans, then the changes, in their order. */
  public static TransactWriteItemsRequest.Builder of(String table, StoreCall.Transaction call) {
    Set<ItemAddress> named = new HashSet<>();
    List<TransactWriteItem> items = new ArrayList<>(call.plans().size() + call.changes().size());
    for (WritePlan plan : call.plans()) {
      requireNew(named, Attributes.address(BucketCodec.key(plan.key())));
      items.add(part(table, plan));
    }
    for (RecordChange change : call.changes()) {
      requireNew(named, RecordAddress.of(change.key()));
      items.add(part(table, change));
    }
    return TransactWriteItemsRequest.builder()
        .transactItems(items)
        .clientRequestToken(call.token())
        .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES);
  }

  private static void requireNew(Set<ItemAddress> named, ItemAddress address) {
    if (!named.add(address)) {
      throw new IllegalArgumentException("a transaction names " + address + " twice");
    }
  }

  /**
   * Write units that a transaction costs at least. An update or a delete says nothing about the
   * size of its item, so it counts as a kilobyte, which buckets stay below.
   */
  public static int leastWriteUnits(List<TransactWriteItem> items) {
    return items.stream().mapToInt(TransactionRequests::leastWriteUnits).sum();
  }

  public static int leastWriteUnits(TransactWriteItem item) {
    return UNITS * (item.put() == null ? 1 : ItemSize.writeUnits(item.put().item()));
  }

  public static TransactWriteItem part(String table, WritePlan plan) {
    if (plan instanceof WritePlan.Create create) {
      PutItemRequest put = PlanRequests.create(table, create).build();
      return TransactWriteItem.builder()
          .put(
              p ->
                  p.tableName(table)
                      .item(put.item())
                      .conditionExpression(put.conditionExpression())
                      .returnValuesOnConditionCheckFailure(
                          put.returnValuesOnConditionCheckFailure()))
          .build();
    }
    if (plan instanceof WritePlan.Remove remove) {
      return TransactWriteItem.builder().delete(PlanRequests.remove(table, remove).build()).build();
    }
    UpdateItemRequest update = PlanRequests.update(table, plan).build();
    return TransactWriteItem.builder()
        .update(
            u ->
                u.tableName(table)
                    .key(update.key())
                    .updateExpression(update.updateExpression())
                    .conditionExpression(update.conditionExpression())
                    .expressionAttributeNames(update.expressionAttributeNames())
                    .expressionAttributeValues(update.expressionAttributeValues())
                    .returnValuesOnConditionCheckFailure(
                        update.returnValuesOnConditionCheckFailure()))
        .build();
  }

  /** A change of a record as a part of a transaction. */
  static TransactWriteItem part(String table, RecordChange change) {
    TransactWriteItem.Builder item = TransactWriteItem.builder();
    if (change instanceof RecordChange.Put put) {
      put(table, put, item);
    } else if (change instanceof RecordChange.Delete delete) {
      item.delete(delete(table, delete));
    } else if (change instanceof RecordChange.AddChildren counted) {
      item.update(count(table, counted));
    } else {
      RecordChange.Check check = (RecordChange.Check) change;
      UpdateClauses clauses = expecting(check.expectedVersion());
      item.conditionCheck(
          ConditionCheck.builder()
              .tableName(table)
              .key(RecordCodec.key(check.key()))
              .conditionExpression(clauses.condition())
              .expressionAttributeNames(clauses.names)
              .expressionAttributeValues(clauses.values)
              .returnValuesOnConditionCheckFailure(OLD_ITEM)
              .build());
    }
    return item.build();
  }

  private static UpdateClauses expecting(long version) {
    UpdateClauses clauses = new UpdateClauses();
    expect(version, clauses);
    return clauses;
  }

  private static void expect(long version, UpdateClauses clauses) {
    clauses.name(VERSION, RecordAttributes.VERSION);
    clauses.require(VERSION + " = " + EXPECTED);
    clauses.values.put(EXPECTED, StoredNumber.of(version));
  }

  private static void put(String table, RecordChange.Put put, TransactWriteItem.Builder item) {
    StoredRecord record = put.record();
    long expected = put.expectedVersion();
    if (record.version() <= expected) {
      throw new IllegalArgumentException(
          "version "
              + record.version()
              + " of "
              + record.key()
              + " must be greater than the expected one, "
              + expected);
    }
    if (expected != RecordChange.Put.ABSENT && record instanceof EntityRecord entity) {
      item.update(update(table, entity, expected));
      return;
    }
    Put.Builder request =
        Put.builder().tableName(table).returnValuesOnConditionCheckFailure(OLD_ITEM);
    Map<String, AttributeValue> attributes = new HashMap<>(RecordCodec.encode(record));
    if (expected == RecordChange.Put.ABSENT) {
      if (record instanceof EntityRecord) {
        attributes.put(RecordAttributes.CHILDREN, StoredNumber.of(0)); // it cannot have any yet
      }
      request.conditionExpression(PlanRequests.NEW_ITEM);
    } else {
      UpdateClauses clauses = expecting(expected);
      request
          .conditionExpression(clauses.condition())
          .expressionAttributeNames(clauses.names)
          .expressionAttributeValues(clauses.values);
    }
    item.put(request.item(attributes).build());
  }

  /** All but the children: they are counted meanwhile, under no version. */
  private static Update update(String table, EntityRecord entity, long expectedVersion) {
    TreeMap<String, AttributeValue> attributes = new TreeMap<>(RecordCodec.encode(entity));
    attributes.remove(Attributes.PK);
    attributes.remove(Attributes.SK);
    attributes.remove(RecordAttributes.CHILDREN);
    UpdateClauses clauses = new UpdateClauses();
    attributes.forEach(
        (attribute, value) -> {
          clauses.name("#" + attribute, attribute);
          clauses.set("#" + attribute, ":" + attribute);
          clauses.values.put(":" + attribute, value);
        });
    for (String attribute : RecordCodec.OPTIONAL_OF_ENTITY) {
      if (!attributes.containsKey(attribute)) {
        clauses.name("#" + attribute, attribute);
        clauses.remove("#" + attribute);
      }
    }
    expect(expectedVersion, clauses);
    return update(table, entity.key(), clauses);
  }

  private static Update count(String table, RecordChange.AddChildren counted) {
    UpdateClauses clauses = new UpdateClauses();
    clauses.name(CHILDREN, RecordAttributes.CHILDREN);
    clauses.add(CHILDREN, ":delta");
    clauses.values.put(":delta", StoredNumber.of(counted.delta()));
    clauses.require(CHILDREN + " >= :least"); // an absent attribute is not greater than anything
    clauses.values.put(
        ":least", StoredNumber.of(counted.delta() < 0 ? Math.negateExact(counted.delta()) : 0));
    if (counted.expectedVersion() != RecordChange.AddChildren.ANY) {
      expect(counted.expectedVersion(), clauses);
    }
    return update(table, counted.key(), clauses);
  }

  private static Update update(String table, RecordKey key, UpdateClauses clauses) {
    return Update.builder()
        .tableName(table)
        .key(RecordCodec.key(key))
        .updateExpression(clauses.setAddRemove())
        .conditionExpression(clauses.condition())
        .expressionAttributeNames(clauses.names)
        .expressionAttributeValues(clauses.values)
        .returnValuesOnConditionCheckFailure(OLD_ITEM)
        .build();
  }

  private static Delete delete(String table, RecordChange.Delete delete) {
    UpdateClauses clauses = expecting(delete.expectedVersion());
    if (delete.key() instanceof RecordKey.Entity) {
      clauses.name(CHILDREN, RecordAttributes.CHILDREN);
      clauses.require(CHILDREN + " = :none");
      clauses.values.put(":none", StoredNumber.of(0));
    }
    return Delete.builder()
        .tableName(table)
        .key(RecordCodec.key(delete.key()))
        .conditionExpression(clauses.condition())
        .expressionAttributeNames(clauses.names)
        .expressionAttributeValues(clauses.values)
        .returnValuesOnConditionCheckFailure(OLD_ITEM)
        .build();
  }
}
