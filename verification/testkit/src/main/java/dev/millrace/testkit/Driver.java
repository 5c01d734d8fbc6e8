package dev.millrace.testkit;

import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Through which port a test talks to the store, so that each assertion sees both. */
enum Driver {
  BLOCKING {
    @Override
    StoreReply execute(StoreUnderTest store, StoreCall call) {
      return store.blocking().execute(call, TIMEOUT_MS);
    }
  },
  ASYNC {
    @Override
    StoreReply execute(StoreUnderTest store, StoreCall call) {
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
        throw Thrown.unchecked(e.getCause());
      }
    }
  };

  /** Ample: no store of a test is that slow. */
  static final long TIMEOUT_MS = 10_000;

  abstract StoreReply execute(StoreUnderTest store, StoreCall call);
}
