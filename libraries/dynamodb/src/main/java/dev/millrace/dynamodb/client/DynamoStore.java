package dev.millrace.dynamodb.client;

import dev.millrace.core.store.BlockingStore;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Buckets and records in a DynamoDB table, through the blocking client. The client is the caller's:
 * it is neither changed nor closed here. It may be any; one built with {@link
 * SafeRetries#configure} costs less for each write.
 */
public final class DynamoStore implements BlockingStore {
  private final DynamoDbClient client;
  private final Calls calls;

  private DynamoStore(DynamoDbClient client, String table, TableAge age) {
    this.client = client;
    this.calls = new Calls(table, client.serviceClientConfiguration(), age);
  }

  /** The buckets and records in {@code table}. Nothing is sent yet. */
  public static DynamoStore of(DynamoDbClient client, String table) {
    return new DynamoStore(client, table, new TableAge());
  }

  /** The same, for callers that wait and for callers that do not. */
  public static DualDynamoStore of(
      DynamoDbClient client, DynamoDbAsyncClient asyncClient, String table) {
    TableAge age = new TableAge(); // what one of them learns holds for both
    return new DualDynamoStore(
        new DynamoStore(client, table, age), new AsyncDynamoStore(asyncClient, table, age));
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    return run(client, calls.begin(call, timeoutMs));
  }

  /** Carries out a call on the caller's thread. */
  static StoreReply run(DynamoDbClient client, Turn first) {
    StoreReply reply = lastReply(client, first);
    if (isInterrupted(reply)) {
      Thread.currentThread().interrupt(); // whoever interrupted us is still to be heard
    }
    return reply;
  }

  private static StoreReply lastReply(DynamoDbClient client, Turn first) {
    Turn turn = first;
    for (int turns = 0; turns < Turn.MAX_TURNS; turns++) {
      if (turn instanceof Turn.Done done) {
        return done.reply();
      }
      turn = turn instanceof Turn.Pause pause ? pause(pause) : ((Turn.Ask<?, ?>) turn).send(client);
    }
    throw new IllegalStateException("a call did not end: " + turn);
  }

  private static Turn pause(Turn.Pause pause) {
    try {
      Thread.sleep(pause.pauseMs());
    } catch (InterruptedException e) {
      // The thread is interrupted again once the reply is out.
      return Turn.done(
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
