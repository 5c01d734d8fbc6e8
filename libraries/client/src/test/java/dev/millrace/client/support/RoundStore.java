package dev.millrace.client.support;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A store that answers a round of calls only when all of them are there. Whoever makes them one
 * after the other never gets an answer, and fails: so it shows that they are made at the same time.
 */
public final class RoundStore implements BlockingStore, AsyncStore {
  private static final long DEADLINE_SECONDS = 30;

  private final BlockingStore store;
  private final Executor threads;
  private volatile CyclicBarrier round = new CyclicBarrier(1);

  public RoundStore(BlockingStore store, Executor threads) {
    this.store = store;
    this.threads = threads;
  }

  /** From now on {@code calls} calls make up a round. */
  public void rounds(int calls) {
    round = new CyclicBarrier(calls);
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    try {
      round.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new AssertionError("the calls of a round were not made at the same time", e);
    }
    return store.execute(call, timeoutMs);
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    return CompletableFuture.supplyAsync(() -> execute(call, timeoutMs), threads);
  }
}
