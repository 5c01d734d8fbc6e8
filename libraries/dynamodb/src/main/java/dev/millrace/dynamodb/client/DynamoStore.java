package dev.millrace.dynamodb.client;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.internal.call.CallSteps;
import dev.millrace.dynamodb.internal.call.RequestStep;
import dev.millrace.dynamodb.internal.call.TableSteps;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Buckets and records in a DynamoDB table, through the blocking client, the asynchronous one, or
 * both. The clients are the caller's: they are neither changed nor closed here. They may be
 * configured in any way; one built with {@link SafeRetries#configure} costs less for each write.
 */
public final class DynamoStore implements BlockingStore, AsyncStore {
  private final Blocking blocking;
  private final Async async;

  private DynamoStore(Blocking blocking, Async async) {
    this.blocking = blocking;
    this.async = async;
  }

  /** A store of {@code table} for callers that wait. Nothing is sent yet. */
  public static BlockingStore of(DynamoDbClient client, String table) {
    return new Blocking(client, CallSteps.of(table));
  }

  /** A store of {@code table} for callers that do not wait. Nothing is sent yet. */
  public static AsyncStore of(DynamoDbAsyncClient client, String table) {
    return new Async(client, CallSteps.of(table));
  }

  /** A store of {@code table} for both. Nothing is sent yet. */
  public static DynamoStore of(
      DynamoDbClient client, DynamoDbAsyncClient asyncClient, String table) {
    Supplier<TableSteps> steps = CallSteps.of(table); // what one learns holds for both
    return new DynamoStore(new Blocking(client, steps), new Async(asyncClient, steps));
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    return blocking.execute(call, timeoutMs);
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    return async.executeAsync(call, timeoutMs);
  }

  private static final class Blocking implements BlockingStore {
    private final DynamoDbClient client;
    private final Supplier<TableSteps> steps;
    private final RequestStep.Runner runner;

    Blocking(DynamoDbClient client, Supplier<TableSteps> steps) {
      this.client = client;
      this.steps = steps;
      this.runner = new RequestStep.Runner(client.serviceClientConfiguration());
    }

    @Override
    public StoreReply execute(StoreCall call, long timeoutMs) {
      return runner.run(client, steps.get().first(call, timeoutMs));
    }
  }

  private static final class Async implements AsyncStore {
    private final DynamoDbAsyncClient client;
    private final Supplier<TableSteps> steps;
    private final RequestStep.Runner runner;

    Async(DynamoDbAsyncClient client, Supplier<TableSteps> steps) {
      this.client = client;
      this.steps = steps;
      this.runner = new RequestStep.Runner(client.serviceClientConfiguration());
    }

    @Override
    public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
      try {
        return runner.runAsync(client, steps.get().first(call, timeoutMs));
      } catch (RuntimeException e) { // a mistake in the call itself
        return CompletableFuture.failedFuture(e);
      }
    }
  }
}
