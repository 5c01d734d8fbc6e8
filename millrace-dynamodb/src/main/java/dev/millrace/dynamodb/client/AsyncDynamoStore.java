package dev.millrace.dynamodb.client;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.store.AsyncStore;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreReply;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Buckets in a DynamoDB table, through the asynchronous client, which is the caller's: it is
 * neither changed nor closed here.
 */
public final class AsyncDynamoStore implements AsyncStore {
  private final DynamoDbAsyncClient client;
  private final CallRequests requests;
  private final Replies replies;

  private AsyncDynamoStore(DynamoDbAsyncClient client, String table) {
    this.client = client;
    this.requests = new CallRequests(table, client.serviceClientConfiguration());
    this.replies = new Replies(table);
  }

  /** The buckets in {@code table}. Nothing is sent yet. */
  public static AsyncDynamoStore of(DynamoDbAsyncClient client, String table) {
    return new AsyncDynamoStore(client, table);
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    return call instanceof StoreCall.Write write
        ? write(write.plan(), timeoutMs)
        : read(((StoreCall.Read) call).key(), timeoutMs);
  }

  private CompletionStage<StoreReply> read(BucketKey key, long timeoutMs) {
    return client
        .getItem(requests.read(key, timeoutMs))
        .handle(
            (response, failure) ->
                failure == null
                    ? replies.found(key, response)
                    : failed(failure, replies::notFound));
  }

  private CompletionStage<StoreReply> write(WritePlan plan, long timeoutMs) {
    Function<SdkException, StoreReply> onFailure = e -> replies.notWritten(plan, e);
    if (plan instanceof WritePlan.Create create) {
      return client
          .putItem(requests.create(create, timeoutMs))
          .handle(
              (response, failure) ->
                  failure == null ? replies.created(create, response) : failed(failure, onFailure));
    }
    return client
        .updateItem(requests.update(plan, timeoutMs))
        .handle(
            (response, failure) ->
                failure == null ? replies.updated(plan, response) : failed(failure, onFailure));
  }

  private static StoreReply failed(
      Throwable failure, Function<SdkException, StoreReply> onFailure) {
    @Nullable Throwable cause =
        failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof SdkException sdk) {
      return onFailure.apply(sdk);
    }
    throw failure instanceof CompletionException wrapped
        ? wrapped
        : new CompletionException(failure);
  }
}
