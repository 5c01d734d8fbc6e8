package dev.millrace.dynamodb.client;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.internal.call.CallSteps;
import dev.millrace.dynamodb.internal.call.OldTableSteps;
import dev.millrace.dynamodb.internal.call.RequestStep;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Buckets and records in a DynamoDB table, through the asynchronous client, which is the caller's:
 * it is neither changed nor closed here.
 */
public final class AsyncDynamoStore implements AsyncStore {
  private final DynamoDbAsyncClient client;
  private final CallSteps steps;
  private final OldTableSteps oldTableSteps;
  private final AtomicBoolean mayHoldOlder;

  AsyncDynamoStore(DynamoDbAsyncClient client, String table, AtomicBoolean mayHoldOlder) {
    this.client = client;
    this.steps = new CallSteps(table, client.serviceClientConfiguration());
    this.oldTableSteps = new OldTableSteps(steps, mayHoldOlder);
    this.mayHoldOlder = mayHoldOlder;
  }

  /** The buckets and records in {@code table}. Nothing is sent yet. */
  public static AsyncDynamoStore of(DynamoDbAsyncClient client, String table) {
    return new AsyncDynamoStore(client, table, new AtomicBoolean());
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    try {
      return run(
          mayHoldOlder.get() || call instanceof StoreCall.Lookup
              ? oldTableSteps.first(call, timeoutMs)
              : steps.first(call, timeoutMs),
          0);
    } catch (RuntimeException e) { // a mistake in the call itself
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<StoreReply> run(RequestStep turn, int turns) {
    if (turn instanceof RequestStep.Done done) {
      return CompletableFuture.completedFuture(done.reply());
    }
    if (turns == RequestStep.MAX_STEPS) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("a call did not end: " + turn));
    }
    CompletableFuture<RequestStep> next =
        turn instanceof RequestStep.Pause pause
            ? pause(pause)
            : ((RequestStep.Ask<?, ?>) turn).sendAsync(client);
    return next.thenCompose(following -> run(following, turns + 1));
  }

  /** Nobody waits meanwhile: a timer of the JDK comes back. */
  private static CompletableFuture<RequestStep> pause(RequestStep.Pause pause) {
    return CompletableFuture.supplyAsync(
        pause.next(), CompletableFuture.delayedExecutor(pause.pauseMs(), TimeUnit.MILLISECONDS));
  }
}
