package dev.millrace.testkit.internal.contract;

import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.internal.RealTime;
import dev.millrace.testkit.internal.StageFailures;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The port through which a test calls the store, so that each assertion covers both. */
public enum StorePort {
  BLOCKING {
    @Override
    public StoreReply execute(StoreUnderTest store, StoreCall call) {
      return store.blocking().execute(call, TIMEOUT_MS);
    }
  },
  ASYNC {
    @Override
    public StoreReply execute(StoreUnderTest store, StoreCall call) {
      try {
        return store
            .async()
            .executeAsync(call, TIMEOUT_MS)
            .toCompletableFuture()
            .get(RealTime.MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted in " + call, e);
      } catch (TimeoutException e) {
        throw new AssertionError("no answer to " + call, e);
      } catch (ExecutionException e) {
        throw StageFailures.unchecked(e.getCause());
      }
    }
  };

  /** Ample: no store of a test is that slow. */
  public static final long TIMEOUT_MS = 10_000;

  public abstract StoreReply execute(StoreUnderTest store, StoreCall call);
}
