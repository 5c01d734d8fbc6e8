package dev.millrace.dynamodb.internal.call;

import dev.millrace.BucketKey;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.MillraceException;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.internal.call.RequestStep.Operation;
import dev.millrace.dynamodb.internal.expression.PlanRequests;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import dev.millrace.dynamodb.internal.legacy.CarryPlan;
import dev.millrace.dynamodb.internal.legacy.OldBucketRequests;
import dev.millrace.dynamodb.internal.legacy.OldItems;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.OldBucketAddress;
import dev.millrace.dynamodb.internal.schema.RecordAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The table as a migration uses it. It is patient: a request that is throttled, in conflict or lost
 * is sent again, a write too, because none of them can be made twice.
 */
public final class OldBucketStore {
  /** Longest time for one answer. */
  private static final long TIMEOUT_MS = 10_000;

  /** Longest time for one request with all its repetitions. */
  private static final long PATIENCE_MS = 60_000;

  private final DynamoDbClient client;
  private final CallOptions options;
  private final String table;
  private final DoubleConsumer spent;

  /**
   * The old buckets in a table.
   *
   * @param spent hears the capacity units of every request
   */
  public OldBucketStore(DynamoDbClient client, String table, DoubleConsumer spent) {
    this.client = client;
    this.table = table;
    this.spent = spent;
    this.options = new CallOptions(table, client.serviceClientConfiguration());
  }

  /**
   * What there is of a bucket.
   *
   * @param nowMs the store's time
   */
  public record Found(OldItems items, long nowMs) {}

  /**
   * Items of one part of the table.
   *
   * @param items those of old buckets, in the order of their keys
   * @param examined how many were looked at
   * @param next where the next page begins, empty when there is none
   * @param nowMs the store's time
   */
  public record Page(
      List<Map<String, AttributeValue>> items,
      int examined,
      Map<String, AttributeValue> next,
      long nowMs) {
    /** Keeps the items as they are now. */
    public Page {
      items = List.copyOf(items);
      next = Map.copyOf(next);
    }
  }

  /** How many items there are, as DynamoDB last counted. */
  public long itemCount() {
    Long count = client.describeTable(r -> r.tableName(table)).table().itemCount();
    return count == null ? 0 : count;
  }

  /** A page of one of {@code segments} parts of the table. */
  public Page scan(int segment, int segments, int size, Map<String, AttributeValue> after) {
    ScanRequest.Builder request =
        ScanRequest.builder()
            .tableName(table)
            .segment(segment)
            .totalSegments(segments)
            .limit(size)
            .consistentRead(true)
            .filterExpression("begins_with(" + Attributes.SK + ", :buckets)")
            .expressionAttributeValues(
                Map.of(":buckets", AttributeValue.fromS(OldBucketAddress.BUCKETS)))
            .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
            .overrideConfiguration(options.ofRead(TIMEOUT_MS));
    if (!after.isEmpty()) {
      request.exclusiveStartKey(after);
    }
    ScanResponse page = send(Operation.SCAN, request.build());
    spent.accept(page.consumedCapacity() == null ? 0 : page.consumedCapacity().capacityUnits());
    return new Page(
        page.items(),
        page.scannedCount(),
        page.lastEvaluatedKey(),
        storeTimeMs(page.sdkHttpResponse()));
  }

  /** The old items of a bucket. */
  public Found find(BucketKey key) {
    QueryResponse response =
        send(
            Operation.QUERY,
            OldBucketRequests.find(table, key)
                .overrideConfiguration(options.ofRead(TIMEOUT_MS))
                .build());
    spent.accept(
        response.consumedCapacity() == null ? 0 : response.consumedCapacity().capacityUnits());
    return new Found(OldItems.of(key, response.items()), storeTimeMs(response.sdkHttpResponse()));
  }

  private static long storeTimeMs(SdkHttpResponse response) {
    long storeTimeMs = Receipts.storeTimeMs(response);
    return storeTimeMs == Receipt.NO_TIME ? System.currentTimeMillis() : storeTimeMs;
  }

  /** One shard of a bucket as it is today, null when there is none. */
  public @Nullable BucketState today(BucketKey key) {
    GetItemResponse response =
        send(
            Operation.GET,
            PlanRequests.read(table, key)
                .overrideConfiguration(options.ofRead(TIMEOUT_MS))
                .build());
    spent.accept(
        Receipts.ofRead(response.consumedCapacity(), response.sdkHttpResponse()).readUnits());
    return response.hasItem() ? BucketCodec.decode(key, response.item()) : null;
  }

  /** All shards of a bucket as it is today, the first one first. */
  public List<BucketState> shards(BucketKey key) {
    List<BucketState> shards = new ArrayList<>();
    BucketState first = today(key);
    if (first != null) {
      shards.add(first);
      int most = Math.max(first.division().count(), first.division().level());
      for (int shard = 1; shard < most; shard++) {
        BucketState next = today(key.withShard(shard));
        if (next != null) {
          shards.add(next);
        }
      }
    }
    return shards;
  }

  /** Makes a plan's transaction; returns whether it was, and not refused. */
  public boolean write(CarryPlan plan) {
    int least = OldBucketRequests.leastWriteUnits(plan);
    try {
      TransactWriteItemsResponse response =
          send(
              Operation.TRANSACT,
              OldBucketRequests.transaction(plan)
                  .overrideConfiguration(options.ofWrite(TIMEOUT_MS))
                  .build());
      Receipt receipt = Receipts.ofTransaction(response, least);
      spent.accept(receipt.writeUnits() + receipt.indexWriteUnits());
      return true;
    } catch (TransactionCanceledException e) {
      spent.accept(least);
      return false;
    }
  }

  /** What the table says about its schema, null when it says nothing. */
  public @Nullable SchemaRecord schema() {
    RecordKey key = new RecordKey.Schema();
    GetItemResponse found = get(key);
    return found.hasItem() ? (SchemaRecord) RecordCodec.decode(key, found.item()) : null;
  }

  /**
   * Says which schema the table has. What else is in the record stays: old clients read it too.
   *
   * @param oldest the oldest version of which there may be buckets
   */
  public void writeSchema(long oldest) {
    boolean older = oldest < SchemaRecord.SUPPORTED;
    UpdateItemRequest.Builder request =
        UpdateItemRequest.builder()
            .tableName(table)
            .key(RecordCodec.key(new RecordKey.Schema()))
            .updateExpression(older ? "SET #v = :v, #o = :o" : "SET #v = :v REMOVE #o")
            .expressionAttributeNames(
                Map.of("#v", RecordAttributes.VERSION, "#o", RecordAttributes.OLDEST));
    AttributeValue version = AttributeValue.fromN(Long.toString(SchemaRecord.SUPPORTED));
    request.expressionAttributeValues(
        older
            ? Map.of(":v", version, ":o", AttributeValue.fromN(Long.toString(oldest)))
            : Map.of(":v", version));
    var unused =
        send(Operation.UPDATE, request.overrideConfiguration(options.ofWrite(TIMEOUT_MS)).build());
  }

  /** How far a part of the work is, null when nothing was saved. */
  public @Nullable JobRecord checkpoint(RecordKey.Job key) {
    GetItemResponse found = get(key);
    return found.hasItem() ? (JobRecord) RecordCodec.decode(key, found.item()) : null;
  }

  /** Saves how far a part of the work is. */
  public void save(JobRecord checkpoint) {
    var unused =
        send(
            Operation.PUT,
            PutItemRequest.builder()
                .tableName(table)
                .item(RecordCodec.encode(checkpoint))
                .overrideConfiguration(options.ofWrite(TIMEOUT_MS))
                .build());
  }

  /** Forgets it. */
  public void forget(RecordKey.Job key) {
    var unused =
        send(
            Operation.DELETE,
            DeleteItemRequest.builder()
                .tableName(table)
                .key(RecordCodec.key(key))
                .overrideConfiguration(options.ofWrite(TIMEOUT_MS))
                .build());
  }

  private GetItemResponse get(RecordKey key) {
    return send(
        Operation.GET,
        GetItemRequest.builder()
            .tableName(table)
            .key(RecordCodec.key(key))
            .consistentRead(true)
            .overrideConfiguration(options.ofRead(TIMEOUT_MS))
            .build());
  }

  private <Q, A extends SdkResponse> A send(Operation<Q, A> operation, Q request) {
    RetryBudget budget = new RetryBudget(PATIENCE_MS);
    for (int sent = 1; sent <= RetryBudget.MAX_ROUNDS; sent++) {
      try {
        return operation.send(client, request);
      } catch (SdkException failure) {
        if (failure instanceof TransactionCanceledException cancelled
            && Cancellations.isRefusal(cancelled)) {
          throw failure;
        }
        pause(budget.pauseMs(sent), SdkErrors.ofRead(failure, table, operation.name()));
      }
    }
    throw new IllegalStateException("a pause let more than the last attempt pass");
  }

  private static void pause(long pauseMs, StoreReply reply) {
    StoreFailure failure = ((StoreReply.NotApplied) reply).failure();
    if (pauseMs == RetryBudget.NONE) {
      throw new LimiterUnavailableException(
          "the table did not answer; what was done so far is kept, and can be gone on with",
          Map.of("failure", failure.kind()),
          failure.cause());
    }
    try {
      Thread.sleep(pauseMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MillraceException("the migration was interrupted; it can be resumed", Map.of(), e);
    }
  }
}
