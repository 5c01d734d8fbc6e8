package dev.millrace.dynamodb.client;

import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.internal.call.CallSteps;
import dev.millrace.dynamodb.internal.call.OldTableSteps;
import dev.millrace.dynamodb.internal.call.RequestStep;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Buckets and records in a DynamoDB table, through the blocking client. The client is the caller's:
 * it is neither changed nor closed here. It may be any; one built with {@link
 * SafeRetries#configure} costs less for each write.
 */
public final class DynamoStore implements BlockingStore {
  private final DynamoDbClient client;
  private final CallSteps steps;
  private final OldTableSteps oldTableSteps;
  private final AtomicBoolean mayHoldOlder;

  private DynamoStore(DynamoDbClient client, String table, AtomicBoolean mayHoldOlder) {
    this.client = client;
    this.steps = new CallSteps(table, client.serviceClientConfiguration());
    this.oldTableSteps = new OldTableSteps(steps, mayHoldOlder);
    this.mayHoldOlder = mayHoldOlder;
  }

  /** The buckets and records in {@code table}. Nothing is sent yet. */
  public static DynamoStore of(DynamoDbClient client, String table) {
    return new DynamoStore(client, table, new AtomicBoolean());
  }

  /** The same, for callers that wait and for callers that do not. */
  public static DualDynamoStore of(
      DynamoDbClient client, DynamoDbAsyncClient asyncClient, String table) {
    AtomicBoolean mayHoldOlder = new AtomicBoolean(); // what one of them learns holds for both
    return new DualDynamoStore(
        new DynamoStore(client, table, mayHoldOlder),
        new AsyncDynamoStore(asyncClient, table, mayHoldOlder));
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    return run(
        client,
        mayHoldOlder.get() || call instanceof StoreCall.Lookup
            ? oldTableSteps.first(call, timeoutMs)
            : steps.first(call, timeoutMs));
  }

  /** Carries out a call on the caller's thread. */
  static StoreReply run(DynamoDbClient client, RequestStep first) {
    StoreReply reply = lastReply(client, first);
    if (isInterrupted(reply)) {
      Thread.currentThread().interrupt(); // the caller's interrupt is kept
    }
    return reply;
  }

  private static StoreReply lastReply(DynamoDbClient client, RequestStep first) {
    RequestStep turn = first;
    for (int turns = 0; turns < RequestStep.MAX_STEPS; turns++) {
      if (turn instanceof RequestStep.Done done) {
        return done.reply();
      }
      turn =
          turn instanceof RequestStep.Pause pause
              ? pause(pause)
              : ((RequestStep.Ask<?, ?>) turn).send(client);
    }
    throw new IllegalStateException("a call did not end: " + turn);
  }

  private static RequestStep pause(RequestStep.Pause pause) {
    try {
      Thread.sleep(pause.pauseMs());
    } catch (InterruptedException e) {
      // The thread is interrupted again once the reply is out.
      return RequestStep.done(
          pause.interrupted().apply(new StoreFailure(StoreFailure.Kind.INTERRUPTED, e)));
    }
    return pause.next().get();
  }

  private static boolean isInterrupted(StoreReply reply) {
    return (reply instanceof StoreReply.Unknown unknown
            && unknown.failure().kind() == StoreFailure.Kind.INTERRUPTED)
        || (reply instanceof StoreReply.NotApplied notApplied
            && notApplied.failure().kind() == StoreFailure.Kind.INTERRUPTED);
  }
}
