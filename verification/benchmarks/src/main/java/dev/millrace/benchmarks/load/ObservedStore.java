package dev.millrace.benchmarks.load;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** A store of which somebody hears every call and its reply, before who has called does. */
final class ObservedStore {
  private ObservedStore() {}

  /** The same store, observed; an {@link AsyncStore} too when {@code store} is one. */
  static BlockingStore of(BlockingStore store, BiConsumer<StoreCall, StoreReply> observer) {
    BlockingStore blocking =
        (call, timeoutMs) -> {
          StoreReply reply = store.execute(call, timeoutMs);
          observer.accept(call, reply);
          return reply;
        };
    return store instanceof AsyncStore async ? new Both(blocking, async, observer) : blocking;
  }

  private record Both(
      BlockingStore blocking, AsyncStore async, BiConsumer<StoreCall, StoreReply> observer)
      implements BlockingStore, AsyncStore {
    @Override
    public StoreReply execute(StoreCall call, long timeoutMs) {
      return blocking.execute(call, timeoutMs);
    }

    @Override
    public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
      return async
          .executeAsync(call, timeoutMs)
          .thenApply(
              reply -> {
                observer.accept(call, reply);
                return reply;
              });
    }
  }
}
