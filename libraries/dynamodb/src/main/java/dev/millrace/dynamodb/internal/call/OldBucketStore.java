package dev.millrace.dynamodb.internal.call;

import dev.millrace.BucketKey;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.MillraceException;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.internal.call.RequestStep.Operation;
import dev.millrace.dynamodb.internal.expression.PlanRequests;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import dev.millrace.dynamodb.internal.legacy.CarryPlan;
import dev.millrace.dynamodb.internal.legacy.OldItems;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.OldBucketAddress;
import dev.millrace.dynamodb.internal.schema.RecordAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The table as a migration uses it. It is patient: a request that is throttled, in conflict or lost
 * is sent again, a write too, because none of them can be made twice.
 */
public final class OldBucketStore {
  private static final long TIMEOUT_MS = 10_000;

  /** Longest time for one request with all its repetitions. */
  private static final long PATIENCE_MS = 60_000;

  private final DynamoDbClient client;
  private final RequestStep.Runner runner;
  private final String table;
  private final DoubleConsumer spent;

  /**
   * The old buckets in a table.
   *
   * @param spent receives the capacity units of every request
   */
  public OldBucketStore(DynamoDbClient client, String table, DoubleConsumer spent) {
    this.client = client;
    this.table = table;
    this.spent = spent;
    this.runner = new RequestStep.Runner(client.serviceClientConfiguration());
  }

  /**
   * The old items of a bucket.
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
    public Page {
      items = List.copyOf(items);
      next = Map.copyOf(next);
    }
  }

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
            .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL);
    if (!after.isEmpty()) {
      request.exclusiveStartKey(after);
    }
    ScanResponse page = send(Operation.SCAN, request);
    spent.accept(Receipts.of(page).readUnits());
    return new Page(
        page.items(),
        page.scannedCount(),
        page.lastEvaluatedKey(),
        Receipts.nowMs(page.sdkHttpResponse()));
  }

  public Found find(BucketKey key) {
    QueryResponse response = send(Operation.QUERY, OldItems.query(table, key));
    spent.accept(Receipts.of(response).readUnits());
    return new Found(
        OldItems.of(key, response.items()), Receipts.nowMs(response.sdkHttpResponse()));
  }

  /** One shard of a bucket as it is today, null when there is none. */
  public @Nullable BucketState today(BucketKey key) {
    GetItemResponse response = send(Operation.GET, PlanRequests.read(table, key));
    spent.accept(Receipts.of(response).readUnits());
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
    try {
      Receipt receipt =
          Receipts.ofTransaction(send(Operation.TRANSACT, plan.request()), plan.leastWriteUnits());
      spent.accept(receipt.writeUnits() + receipt.indexWriteUnits());
      return true;
    } catch (TransactionCanceledException e) {
      spent.accept(plan.leastWriteUnits());
      return false;
    }
  }

  /**
   * Stores the schema of the table. Other attributes of the record stay: old clients read it too.
   *
   * @param oldest the oldest version of which there may be buckets
   */
  public void writeSchema(long oldest) {
    boolean older = oldest < SchemaRecord.SUPPORTED;
    Map<String, AttributeValue> values = new HashMap<>();
    values.put(":v", AttributeValue.fromN(Long.toString(SchemaRecord.SUPPORTED)));
    if (older) {
      values.put(":o", AttributeValue.fromN(Long.toString(oldest)));
    }
    var unused =
        send(
            Operation.UPDATE,
            UpdateItemRequest.builder()
                .tableName(table)
                .key(RecordCodec.key(new RecordKey.Schema()))
                .updateExpression(older ? "SET #v = :v, #o = :o" : "SET #v = :v REMOVE #o")
                .expressionAttributeNames(
                    Map.of("#v", RecordAttributes.VERSION, "#o", RecordAttributes.OLDEST))
                .expressionAttributeValues(values));
  }

  public @Nullable StoredRecord get(RecordKey key) {
    GetItemResponse found =
        send(
            Operation.GET,
            GetItemRequest.builder()
                .tableName(table)
                .key(RecordCodec.key(key))
                .consistentRead(true));
    return found.hasItem() ? RecordCodec.decode(key, found.item()) : null;
  }

  public void put(StoredRecord record) {
    var unused =
        send(
            Operation.PUT,
            PutItemRequest.builder().tableName(table).item(RecordCodec.encode(record)));
  }

  public void delete(RecordKey key) {
    var unused =
        send(
            Operation.DELETE,
            DeleteItemRequest.builder().tableName(table).key(RecordCodec.key(key)));
  }

  private <B extends DynamoDbRequest.Builder, A extends DynamoDbResponse> A send(
      Operation<B, A> operation, B request) {
    RetryBudget budget = new RetryBudget(PATIENCE_MS);
    for (int sent = 1; sent <= RetryBudget.MAX_ROUNDS; sent++) {
      try {
        return runner.send(client, operation, request, TIMEOUT_MS);
      } catch (SdkException failure) {
        if (SdkErrors.isRefusal(failure)) {
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
