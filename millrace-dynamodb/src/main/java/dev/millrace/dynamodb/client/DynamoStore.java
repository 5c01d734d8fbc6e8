package dev.millrace.dynamodb.client;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.store.BlockingStore;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Buckets in a DynamoDB table, through the blocking client. The client is the caller's: it is
 * neither changed nor closed here. It may be any; one built with {@link SafeRetries#configure}
 * costs less for each write.
 */
public final class DynamoStore implements BlockingStore {
  private final DynamoDbClient client;
  private final CallRequests requests;
  private final Replies replies;

  private DynamoStore(DynamoDbClient client, String table) {
    this.client = client;
    this.requests = new CallRequests(table, client.serviceClientConfiguration());
    this.replies = new Replies(table);
  }

  /** The buckets in {@code table}. Nothing is sent yet. */
  public static DynamoStore of(DynamoDbClient client, String table) {
    return new DynamoStore(client, table);
  }

  /** The buckets in {@code table}, for callers that wait and for callers that do not. */
  public static DualDynamoStore of(
      DynamoDbClient client, DynamoDbAsyncClient asyncClient, String table) {
    return new DualDynamoStore(of(client, table), AsyncDynamoStore.of(asyncClient, table));
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    StoreReply reply =
        call instanceof StoreCall.Write write
            ? write(write.plan(), timeoutMs)
            : read(((StoreCall.Read) call).key(), timeoutMs);
    if (isInterrupted(reply)) {
      Thread.currentThread().interrupt(); // whoever interrupted us is still to be heard
    }
    return reply;
  }

  private StoreReply read(BucketKey key, long timeoutMs) {
    try {
      return replies.found(key, client.getItem(requests.read(key, timeoutMs)));
    } catch (SdkException e) {
      return replies.notFound(e);
    }
  }

  private StoreReply write(WritePlan plan, long timeoutMs) {
    try {
      return plan instanceof WritePlan.Create create
          ? replies.created(create, client.putItem(requests.create(create, timeoutMs)))
          : replies.updated(plan, client.updateItem(requests.update(plan, timeoutMs)));
    } catch (SdkException e) {
      return replies.notWritten(plan, e);
    }
  }

  private static boolean isInterrupted(StoreReply reply) {
    return (reply instanceof StoreReply.Unknown unknown
            && unknown.failure().kind() == StoreFailure.Kind.INTERRUPTED)
        || (reply instanceof StoreReply.NotApplied notApplied
            && notApplied.failure().kind() == StoreFailure.Kind.INTERRUPTED);
  }
}
