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
import dev.millrace.dynamodb.internal.call.CallOptions;
import dev.millrace.dynamodb.internal.call.RequestStep;
import dev.millrace.dynamodb.internal.call.RequestStep.Operation;
import dev.millrace.dynamodb.internal.call.RetryBudget;
import dev.millrace.dynamodb.internal.call.SdkErrors;
import dev.millrace.dynamodb.internal.call.TruncatedAnswer;
import dev.millrace.dynamodb.internal.expression.BatchRequests;
import dev.millrace.dynamodb.internal.expression.UsageRequests;
import dev.millrace.dynamodb.internal.item.UsageCodec;
import dev.millrace.dynamodb.internal.query.ListingPlan;
import dev.millrace.dynamodb.internal.query.ListingRequests;
import dev.millrace.dynamodb.internal.query.UsageListings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Usage in a DynamoDB table, through the blocking client, which is the caller's: it is neither
 * changed nor closed here. A write that is sent twice, by whomever, is made once.
 */
public final class DynamoUsageStore implements UsageStore {
  /** How long each request may take. */
  static final long TIMEOUT_MS = 5_000;

  private static final String INVALID = "ValidationException";

  private final DynamoDbClient client;
  private final String table;
  private final CallOptions options;

  private DynamoUsageStore(DynamoDbClient client, String table) {
    this.client = client;
    this.table = table;
    this.options = new CallOptions(table, client.serviceClientConfiguration());
  }

  /** The usage in {@code table}. Nothing is sent yet. */
  public static DynamoUsageStore of(DynamoDbClient client, String table) {
    return new DynamoUsageStore(client, table);
  }

  @Override
  public UsageReply apply(UsageWrite write) {
    try {
      client.updateItem(
          UsageRequests.update(table, write)
              .overrideConfiguration(options.ofRead(TIMEOUT_MS)) // may be sent again as it pleases
              .build());
      return new UsageReply.Applied();
    } catch (SdkException e) {
      SdkException failure = TruncatedAnswer.asBroken(e);
      if (failure instanceof ConditionalCheckFailedException refused) {
        @Nullable String defect = defectOf(refused.item());
        return defect == null
            ? new UsageReply.Refused(UsageCodec.decode(refused.item()))
            : new UsageReply.Corrupt(defect);
      }
      @Nullable String defect = isInvalid(failure) ? defectOf(write.key()) : null;
      if (defect != null) {
        return new UsageReply.Corrupt(defect);
      }
      StoreReply reply = SdkErrors.ofRead(failure, table, Operation.UPDATE.name());
      StoreFailure why = ((StoreReply.NotApplied) reply).failure();
      if (why.kind() == StoreFailure.Kind.INTERRUPTED) {
        Thread.currentThread().interrupt(); // whoever interrupted us is still to be heard
      }
      return new UsageReply.Failed(why);
    }
  }

  /** Said of a mistake in the request, and of an item that has another type than is added to it. */
  private static boolean isInvalid(SdkException failure) {
    return failure instanceof AwsServiceException answered
        && answered.awsErrorDetails() != null
        && INVALID.equals(answered.awsErrorDetails().errorCode());
  }

  private @Nullable String defectOf(UsageKey key) {
    try {
      GetItemResponse found =
          client.getItem(
              g ->
                  g.tableName(table)
                      .key(UsageCodec.key(key))
                      .consistentRead(true)
                      .overrideConfiguration(options.ofRead(TIMEOUT_MS)));
      return found.hasItem() ? defectOf(found.item()) : null;
    } catch (SdkException e) {
      return null; // the first failure is the one to tell
    }
  }

  /** What is wrong with an item, null when nothing is. */
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
    if (keys.isEmpty()) {
      return List.of();
    }
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
    ListingPlan.Query plan = UsageListings.plan(listing);
    if (plan.isEmpty()) {
      return new UsagePage(List.of(), null);
    }
    QueryResponse page;
    try {
      page =
          Operation.QUERY.send(
              client,
              ListingRequests.query(table, plan, limit, cursor)
                  .overrideConfiguration(options.ofRead(TIMEOUT_MS))
                  .build());
    } catch (SdkException failure) {
      throw unavailable(SdkErrors.ofRead(failure, table, Operation.QUERY.name()));
    }
    List<UsageItem> items =
        plan.index() == null
            ? page.items().stream().map(UsageCodec::decode).toList()
            : readInOrder(UsageListings.addresses(page.items()));
    return new UsagePage(items, UsageListings.cursor(plan, page.lastEvaluatedKey()));
  }

  private List<UsageItem> readInOrder(List<ItemAddress> addresses) {
    if (addresses.isEmpty()) {
      return List.of();
    }
    Map<ItemAddress, UsageItem> found = new HashMap<>();
    read(addresses).forEach(item -> found.put(UsageCodec.address(item.key()), item));
    List<UsageItem> inOrder = new ArrayList<>(found.size());
    for (ItemAddress address : addresses) {
      UsageItem item = found.get(address);
      if (item != null) { // an index may know what has just expired
        inOrder.add(item);
      }
    }
    return inOrder;
  }

  private List<UsageItem> read(List<ItemAddress> addresses) {
    List<Map<String, AttributeValue>> items = new ArrayList<>();
    BatchRead read =
        new BatchRead(
            options,
            new RetryBudget(TIMEOUT_MS),
            Receipt.NONE,
            (found, spent) -> {
              items.addAll(found);
              return RequestStep.done(new StoreReply.Records(Map.of(), spent));
            });
    StoreReply reply =
        DynamoStore.run(
            client,
            read.ask(BatchRequests.read(table, "usage", addresses, /* consistent= */ true)));
    if (!(reply instanceof StoreReply.Records)) {
      throw unavailable(reply);
    }
    return items.stream().map(UsageCodec::decode).toList();
  }

  private static LimiterUnavailableException unavailable(StoreReply reply) {
    StoreFailure failure = ((StoreReply.NotApplied) reply).failure();
    return new LimiterUnavailableException(
        "usage could not be read", Map.of("failure", failure.kind()), failure.cause());
  }
}
