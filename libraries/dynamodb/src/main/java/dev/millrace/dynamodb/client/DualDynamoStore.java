package dev.millrace.dynamodb.client;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.util.concurrent.CompletionStage;

/** One table through both clients: {@link DynamoStore} and {@link AsyncDynamoStore}. */
public final class DualDynamoStore implements BlockingStore, AsyncStore {
  private final DynamoStore blocking;
  private final AsyncDynamoStore async;

  DualDynamoStore(DynamoStore blocking, AsyncDynamoStore async) {
    this.blocking = blocking;
    this.async = async;
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    return blocking.execute(call, timeoutMs);
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    return async.executeAsync(call, timeoutMs);
  }
}
