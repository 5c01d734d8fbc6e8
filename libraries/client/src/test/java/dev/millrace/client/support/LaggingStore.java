package dev.millrace.client.support;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.testkit.InMemoryStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * A store that takes its time, really: each call as long as a rule says, and no longer than its
 * time limit. What takes longer is not made, and its caller cannot know that.
 */
public final class LaggingStore implements BlockingStore, AsyncStore {
  /** Longer than any time limit. */
  public static final long FOR_EVER_MS = Long.MAX_VALUE;

  public final InMemoryStore memory = new InMemoryStore();
  private volatile ToLongFunction<StoreCall> delayMs = call -> 0;

  /** From now on calls take so long. */
  public void takes(ToLongFunction<StoreCall> rule) {
    this.delayMs = rule;
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    return executeAsync(call, timeoutMs).toCompletableFuture().join();
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    long takesMs = delayMs.applyAsLong(call);
    if (takesMs == 0) {
      return CompletableFuture.completedFuture(memory.execute(call, timeoutMs));
    }
    CompletableFuture<Boolean> timer =
        new CompletableFuture<Boolean>()
            .completeOnTimeout(true, Math.min(takesMs, timeoutMs), TimeUnit.MILLISECONDS);
    return timer.thenApplyAsync(
        over -> takesMs < timeoutMs ? memory.execute(call, timeoutMs) : timedOut(call));
  }

  private static StoreReply timedOut(StoreCall call) {
    StoreFailure failure = new StoreFailure(StoreFailure.Kind.TIMED_OUT, null);
    return call.writes()
        ? new StoreReply.Unknown(failure, Receipt.NONE)
        : new StoreReply.NotApplied(failure, Receipt.NONE);
  }
}
