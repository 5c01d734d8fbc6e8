package dev.millrace.core.spi.store;

import java.util.concurrent.CompletionStage;

/** A store that answers later. */
@FunctionalInterface
public interface AsyncStore {
  /** The same as {@link BlockingStore#execute}; a mistake or a bug fails the stage. */
  CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs);
}
