package dev.millrace.dynamodb.client;

import dev.millrace.core.store.AsyncStore;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreReply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Buckets and records in a DynamoDB table, through the asynchronous client, which is the caller's:
 * it is neither changed nor closed here.
 */
public final class AsyncDynamoStore implements AsyncStore {
  private final DynamoDbAsyncClient client;
  private final Calls calls;

  AsyncDynamoStore(DynamoDbAsyncClient client, String table, TableAge age) {
    this.client = client;
    this.calls = new Calls(table, client.serviceClientConfiguration(), age);
  }

  /** The buckets and records in {@code table}. Nothing is sent yet. */
  public static AsyncDynamoStore of(DynamoDbAsyncClient client, String table) {
    return new AsyncDynamoStore(client, table, new TableAge());
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    try {
      return run(calls.begin(call, timeoutMs), 0);
    } catch (RuntimeException e) { // a mistake in the call itself
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<StoreReply> run(Turn turn, int turns) {
    if (turn instanceof Turn.Done done) {
      return CompletableFuture.completedFuture(done.reply());
    }
    if (turns == Turn.MAX_TURNS) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("a call did not end: " + turn));
    }
    CompletableFuture<Turn> next =
        turn instanceof Turn.Pause pause ? pause(pause) : ((Turn.Ask<?, ?>) turn).sendAsync(client);
    return next.thenCompose(following -> run(following, turns + 1));
  }

  /** Nobody waits meanwhile: a timer of the JDK comes back. */
  private static CompletableFuture<Turn> pause(Turn.Pause pause) {
    return CompletableFuture.supplyAsync(
        pause.next(), CompletableFuture.delayedExecutor(pause.pauseMs(), TimeUnit.MILLISECONDS));
  }
}
