package dev.millrace.dynamodb.client;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.store.StoreCall;
import dev.millrace.dynamodb.expression.PlanRequests;
import dev.millrace.dynamodb.expression.TransactionRequests;
import dev.millrace.dynamodb.legacy.CarryPlan;
import dev.millrace.dynamodb.legacy.OldBucketRequests;
import dev.millrace.dynamodb.query.ListingPlan;
import dev.millrace.dynamodb.query.ListingRequests;
import software.amazon.awssdk.core.SdkServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Calls as complete requests to one table; the same for both kinds of client. */
final class CallRequests {
  private final String table;
  private final CallOptions options;

  CallRequests(String table, SdkServiceClientConfiguration client) {
    if (table.isEmpty()) {
      throw new IllegalArgumentException("table is empty");
    }
    this.table = table;
    this.options = new CallOptions(client);
  }

  String table() {
    return table;
  }

  GetItemRequest read(BucketKey key, long timeoutMs) {
    return PlanRequests.read(table, key).overrideConfiguration(options.ofRead(timeoutMs)).build();
  }

  PutItemRequest create(WritePlan.Create plan, long timeoutMs) {
    return PlanRequests.create(table, plan)
        .overrideConfiguration(options.ofWrite(timeoutMs))
        .build();
  }

  /** Of every plan that changes a bucket, and neither creates nor removes it. */
  UpdateItemRequest update(WritePlan plan, long timeoutMs) {
    return PlanRequests.update(table, plan)
        .overrideConfiguration(options.ofWrite(timeoutMs))
        .build();
  }

  TransactWriteItemsRequest transaction(StoreCall.Transaction call, long timeoutMs) {
    return TransactionRequests.of(table, call)
        .overrideConfiguration(options.ofWrite(timeoutMs))
        .build();
  }

  QueryRequest findOld(BucketKey key, long timeoutMs) {
    return OldBucketRequests.find(table, key)
        .overrideConfiguration(options.ofRead(timeoutMs))
        .build();
  }

  TransactWriteItemsRequest carryOver(CarryPlan plan, long timeoutMs) {
    return OldBucketRequests.transaction(plan)
        .overrideConfiguration(options.ofWrite(timeoutMs))
        .build();
  }

  QueryRequest query(ListingPlan.Query plan, StoreCall.ListPage call, long timeoutMs) {
    return ListingRequests.query(table, plan, call.pageSize(), call.cursor())
        .overrideConfiguration(options.ofRead(timeoutMs))
        .build();
  }

  ScanRequest scan(ListingPlan.Scan plan, StoreCall.ListPage call, long timeoutMs) {
    return ListingRequests.scan(table, plan, call.pageSize(), call.cursor())
        .overrideConfiguration(options.ofRead(timeoutMs))
        .build();
  }

  BatchGetItemRequest complete(BatchGetItemRequest.Builder request, long timeoutMs) {
    return request.overrideConfiguration(options.ofRead(timeoutMs)).build();
  }

  /** To delete twice is harmless, but whoever made the item anew meanwhile would lose it. */
  BatchWriteItemRequest complete(BatchWriteItemRequest.Builder request, long timeoutMs) {
    return request.overrideConfiguration(options.ofWrite(timeoutMs)).build();
  }
}
