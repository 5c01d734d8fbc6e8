package dev.millrace.dynamodb.client;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.dynamodb.expression.PlanRequests;
import software.amazon.awssdk.core.SdkServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
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

  GetItemRequest read(BucketKey key, long timeoutMs) {
    return PlanRequests.read(table, key).overrideConfiguration(options.ofRead(timeoutMs)).build();
  }

  PutItemRequest create(WritePlan.Create plan, long timeoutMs) {
    return PlanRequests.create(table, plan)
        .overrideConfiguration(options.ofWrite(timeoutMs))
        .build();
  }

  /** Of every plan but a create. */
  UpdateItemRequest update(WritePlan plan, long timeoutMs) {
    return builder(plan).overrideConfiguration(options.ofWrite(timeoutMs)).build();
  }

  private UpdateItemRequest.Builder builder(WritePlan plan) {
    if (plan instanceof WritePlan.Locked locked) {
      return PlanRequests.update(table, locked);
    }
    if (plan instanceof WritePlan.Consume consume) {
      return PlanRequests.update(table, consume);
    }
    if (plan instanceof WritePlan.Adjust adjust) {
      return PlanRequests.update(table, adjust);
    }
    throw new IllegalArgumentException("not an update: " + plan);
  }
}
