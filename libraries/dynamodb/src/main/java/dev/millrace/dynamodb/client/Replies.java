package dev.millrace.dynamodb.client;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.store.StoreReply;
import dev.millrace.dynamodb.item.BucketCodec;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** Answers to reads and writes of one bucket as replies; the same for both kinds of client. */
final class Replies {
  private final String table;

  Replies(String table) {
    this.table = table;
  }

  StoreReply.Found found(BucketKey key, GetItemResponse response) {
    return new StoreReply.Found(
        response.hasItem() ? BucketCodec.decode(key, response.item()) : null,
        Receipts.ofRead(response.consumedCapacity(), response.sdkHttpResponse()));
  }

  /** A put does not answer with the item; it is what was put. */
  StoreReply created(WritePlan.Create plan, PutItemResponse response) {
    return new StoreReply.Applied(
        plan.state(), Receipts.ofWrite(response.consumedCapacity(), response.sdkHttpResponse()));
  }

  StoreReply updated(WritePlan plan, UpdateItemResponse response) {
    return new StoreReply.Applied(
        BucketCodec.decode(plan.key(), response.attributes()),
        Receipts.ofWrite(response.consumedCapacity(), response.sdkHttpResponse()));
  }

  StoreReply notFound(SdkException failure) {
    return SdkErrors.ofRead(failure, table, Operation.GET.name());
  }

  StoreReply notWritten(WritePlan plan, SdkException failure) {
    if (failure instanceof ConditionalCheckFailedException refusal) {
      BucketState state = refusal.hasItem() ? BucketCodec.decode(plan.key(), refusal.item()) : null;
      return new StoreReply.Refused(state, Receipts.ofRefusal(refusal));
    }
    Operation<?, ?> operation = plan instanceof WritePlan.Create ? Operation.PUT : Operation.UPDATE;
    return SdkErrors.ofWrite(failure, table, operation.name());
  }
}
