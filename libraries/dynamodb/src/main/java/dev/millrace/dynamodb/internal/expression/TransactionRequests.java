package dev.millrace.dynamodb.internal.expression;

import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.ItemSize;
import dev.millrace.dynamodb.internal.schema.RecordAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Transactions as requests. A plan has the same expressions as when it is written alone, and like
 * there every part asks for the item that refuses it.
 */
public final class TransactionRequests {
  /** Write units of each started kilobyte: to prepare and to commit. */
  public static final int UNITS = 2;

  private TransactionRequests() {}

  /** The request: first the plans, then the changes, in their order. */
  public static TransactWriteItemsRequest.Builder of(String table, StoreCall.Transaction call) {
    Set<ItemAddress> named = new HashSet<>();
    List<TransactWriteItem> items = new ArrayList<>(call.plans().size() + call.changes().size());
    for (WritePlan plan : call.plans()) {
      once(named, Attributes.address(BucketCodec.key(plan.key())));
      items.add(part(table, plan));
    }
    for (RecordChange change : call.changes()) {
      once(named, RecordAddress.of(change.key()));
      items.add(RecordWrites.of(table, change));
    }
    return TransactWriteItemsRequest.builder()
        .transactItems(items)
        .clientRequestToken(call.token())
        .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES);
  }

  /**
   * Write units that {@code request} costs at least. An update or a delete says nothing about the
   * size of its item, so it counts as a kilobyte, which buckets stay below.
   */
  public static int leastWriteUnits(TransactWriteItemsRequest request) {
    int units = 0;
    for (TransactWriteItem item : request.transactItems()) {
      units += leastWriteUnits(item);
    }
    return units;
  }

  /** The same of one part. */
  public static int leastWriteUnits(TransactWriteItem item) {
    return UNITS * (item.put() == null ? 1 : ItemSize.writeUnits(item.put().item()));
  }

  private static void once(Set<ItemAddress> named, ItemAddress address) {
    if (!named.add(address)) {
      throw new IllegalArgumentException("a transaction names " + address + " twice");
    }
  }

  /** A plan as a part of a transaction. */
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
}
