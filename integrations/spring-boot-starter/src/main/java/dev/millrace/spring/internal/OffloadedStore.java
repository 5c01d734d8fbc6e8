package dev.millrace.spring.internal;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * A store that runs a blocking one on threads of its own, for asynchronous callers. An asynchronous
 * store needs none, so this is for applications without an asynchronous client.
 */
final class OffloadedStore implements BlockingStore, AsyncStore {
  /** Most calls that run at once. */
  static final int MAX_THREADS = 64;

  /** Most calls that wait for a thread; further ones are answered as not made. */
  static final int MAX_QUEUED = 10_000;

  /** Idle threads end by themselves, so there is nothing to close. */
  private static final long IDLE_SECONDS = 30;

  private final BlockingStore delegate;
  private final ThreadPoolExecutor threads;

  OffloadedStore(BlockingStore delegate) {
    this.delegate = delegate;
    CustomizableThreadFactory daemons = new CustomizableThreadFactory("millrace-store-");
    daemons.setDaemon(true);
    this.threads =
        new ThreadPoolExecutor(
            MAX_THREADS,
            MAX_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_QUEUED),
            daemons);
    threads.allowCoreThreadTimeOut(true);
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    return delegate.execute(call, timeoutMs);
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    try {
      return CompletableFuture.supplyAsync(() -> delegate.execute(call, timeoutMs), threads);
    } catch (RejectedExecutionException e) {
      StoreFailure full = new StoreFailure(StoreFailure.Kind.BUSY, e);
      return CompletableFuture.completedFuture(new StoreReply.NotApplied(full, Receipt.NONE));
    }
  }
}
