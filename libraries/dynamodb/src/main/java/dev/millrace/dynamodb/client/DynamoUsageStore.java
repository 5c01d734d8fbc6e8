package dev.millrace.dynamodb.client;

import dev.millrace.LimiterUnavailableException;
import dev.millrace.MillraceException;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageListing;
import dev.millrace.core.spi.usage.UsagePage;
import dev.millrace.core.spi.usage.UsageReply;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.dynamodb.internal.call.BatchRead;
import dev.millrace.dynamodb.internal.call.RequestStep;
import dev.millrace.dynamodb.internal.call.RequestStep.Operation;
import dev.millrace.dynamodb.internal.call.RetryBudget;
import dev.millrace.dynamodb.internal.call.SdkErrors;
import dev.millrace.dynamodb.internal.call.TruncatedAnswer;
import dev.millrace.dynamodb.internal.expression.BatchRequests;
import dev.millrace.dynamodb.internal.expression.UsageRequests;
import dev.millrace.dynamodb.internal.item.UsageCodec;
import dev.millrace.dynamodb.internal.query.Cursor;
import dev.millrace.dynamodb.internal.query.ListingPlan;
import dev.millrace.dynamodb.internal.query.ListingRequests;
import dev.millrace.dynamodb.internal.schema.Attributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Usage in a DynamoDB table, through the blocking client, which is the caller's: it is neither
 * changed nor closed here. A write that is sent twice, by any process, is made once.
 */
public final class DynamoUsageStore implements UsageStore {
  /** The time limit of each request. */
  static final long TIMEOUT_MS = 5_000;

  private static final String INVALID = "ValidationException";
  private final DynamoDbClient client;
  private final String table;
  private final RequestStep.Runner runner;

  private DynamoUsageStore(DynamoDbClient client, String table) {
    if (table.isEmpty()) {
      throw new IllegalArgumentException("table is empty");
    }
    this.client = client;
    this.table = table;
    this.runner = new RequestStep.Runner(client.serviceClientConfiguration());
  }

  /** The usage in {@code table}. Nothing is sent yet. */
  public static DynamoUsageStore of(DynamoDbClient client, String table) {
    return new DynamoUsageStore(client, table);
  }

  /** Every request may be sent again, writes too: they are idempotent. */
  private AwsRequestOverrideConfiguration options() {
    return runner.options(/* writes= */ false, TIMEOUT_MS);
  }

  @Override
  public UsageReply apply(UsageWrite write) {
    try {
      client.updateItem(
          UsageRequests.update(table, write).overrideConfiguration(options()).build());
      return new UsageReply.Applied();
    } catch (SdkException e) {
      return notApplied(write, TruncatedAnswer.asBroken(e));
    }
  }

  private UsageReply notApplied(UsageWrite write, SdkException failure) {
    if (failure instanceof ConditionalCheckFailedException refused) {
      @Nullable String defect = defectOf(refused.item());
      return defect == null
          ? new UsageReply.Refused(UsageCodec.decode(refused.item()))
          : new UsageReply.Corrupt(defect);
    }
    // The code of a mistake in the request, and of an item of which a number has another type.
    boolean invalid =
        failure instanceof AwsServiceException answered
            && answered.awsErrorDetails() != null
            && INVALID.equals(answered.awsErrorDetails().errorCode());
    @Nullable String defect = invalid ? defectOf(write.key()) : null;
    if (defect != null) {
      return new UsageReply.Corrupt(defect);
    }
    StoreFailure why = failure(failure, Operation.UPDATE);
    if (why.kind() == StoreFailure.Kind.INTERRUPTED) {
      Thread.currentThread().interrupt(); // the caller's interrupt is kept
    }
    return new UsageReply.Failed(why);
  }

  private StoreFailure failure(SdkException failure, Operation<?, ?> operation) {
    StoreReply reply = SdkErrors.ofRead(failure, table, operation.name());
    return ((StoreReply.NotApplied) reply).failure();
  }

  private @Nullable String defectOf(UsageKey key) {
    try {
      GetItemResponse found =
          client.getItem(
              g ->
                  g.tableName(table)
                      .key(UsageCodec.key(key))
                      .consistentRead(true)
                      .overrideConfiguration(options()));
      return found.hasItem() ? defectOf(found.item()) : null;
    } catch (SdkException e) {
      return null; // the first failure is reported
    }
  }

  /** The defect of an item, null when it has none. */
  private static @Nullable String defectOf(Map<String, AttributeValue> item) {
    try {
      UsageItem unused = UsageCodec.decode(item);
      return null;
    } catch (MillraceException corrupt) {
      return String.valueOf(corrupt.getMessage());
    }
  }

  @Override
  public List<UsageItem> find(List<UsageKey> keys) {
    List<ItemAddress> addresses = keys.stream().map(UsageCodec::address).toList();
    if (addresses.stream().distinct().count() < keys.size()) {
      throw new IllegalArgumentException("a key is named twice: " + keys);
    }
    return read(addresses);
  }

  @Override
  public UsagePage list(UsageListing listing, int limit, @Nullable String cursor) {
    if (limit < 1 || limit > UsagePage.MAX_SIZE) {
      throw new IllegalArgumentException(
          "limit " + limit + " must be from 1 to " + UsagePage.MAX_SIZE);
    }
    ListingPlan.Query plan = ListingPlan.of(listing);
    if (plan.isEmpty()) {
      return new UsagePage(List.of(), null);
    }
    QueryResponse page;
    try {
      page =
          runner.send(
              client,
              Operation.QUERY,
              ListingRequests.query(table, plan, limit, cursor),
              TIMEOUT_MS);
    } catch (SdkException failure) {
      throw unavailable(failure(failure, Operation.QUERY));
    }
    List<UsageItem> items =
        plan.index() == null
            ? page.items().stream().map(UsageCodec::decode).toList()
            : readInOrder(page.items().stream().map(Attributes::address).toList());
    return new UsagePage(items, Cursor.after(plan, page.lastEvaluatedKey()));
  }

  /** The items at {@code addresses}; an index may list one that has just expired. */
  private List<UsageItem> readInOrder(List<ItemAddress> addresses) {
    Map<ItemAddress, UsageItem> found = new HashMap<>();
    read(addresses).forEach(item -> found.put(UsageCodec.address(item.key()), item));
    return addresses.stream().map(found::get).filter(Objects::nonNull).toList();
  }

  private List<UsageItem> read(List<ItemAddress> addresses) {
    if (addresses.isEmpty()) {
      return List.of();
    }
    List<Map<String, AttributeValue>> items = new ArrayList<>();
    BatchRead read =
        new BatchRead(
            table,
            new RetryBudget(TIMEOUT_MS),
            Receipt.NONE,
            (found, spent) -> {
              items.addAll(found);
              return RequestStep.done(new StoreReply.Records(Map.of(), spent));
            });
    StoreReply reply =
        runner.run(
            client,
            read.ask(BatchRequests.read(table, "usage", addresses, /* consistent= */ true)));
    if (reply instanceof StoreReply.NotApplied failed) {
      throw unavailable(failed.failure());
    }
    return items.stream().map(UsageCodec::decode).toList();
  }

  private static LimiterUnavailableException unavailable(StoreFailure failure) {
    return new LimiterUnavailableException(
        "usage could not be read", Map.of("failure", failure.kind()), failure.cause());
  }
}
