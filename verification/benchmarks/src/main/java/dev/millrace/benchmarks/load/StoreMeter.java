package dev.millrace.benchmarks.load;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;

/**
 * Counts what limiters ask of their stores. It stands before the store and is not a listener of the
 * limiter: one listener more would be told of every request that is answered from memory, and be
 * measured with it.
 */
public final class StoreMeter {
  /** One sum and not seven: a reply is counted whole or not at all, whenever somebody looks. */
  private StoreCost spent = StoreCost.NONE;

  /** The same store, counted; an {@link AsyncStore} too when {@code store} is one. */
  public BlockingStore on(BlockingStore store) {
    return ObservedStore.of(store, this::count);
  }

  /** What was asked so far. */
  public synchronized StoreCost spending() {
    return spent;
  }

  private synchronized void count(StoreCall call, StoreReply reply) {
    spent = spent.plus(cost(call, reply));
  }

  private static StoreCost cost(StoreCall call, StoreReply reply) {
    Receipt receipt = reply.receipt();
    double writeUnits = receipt.writeUnits() + receipt.indexWriteUnits();
    if (call instanceof StoreCall.Lookup) {
      return new StoreCost(0, 1, 0, 0, 0, receipt.readUnits(), writeUnits);
    }
    int buckets = buckets(call);
    int throttled = isThrottled(reply) ? buckets : 0;
    return call.writes()
        ? new StoreCost(0, 0, buckets, throttled, receipt.readUnits(), 0, writeUnits)
        : new StoreCost(buckets, 0, 0, 0, receipt.readUnits(), 0, writeUnits);
  }

  private static boolean isThrottled(StoreReply reply) {
    return reply instanceof StoreReply.NotApplied notApplied
        && (notApplied.failure().kind() == StoreFailure.Kind.THROTTLED
            || notApplied.failure().kind() == StoreFailure.Kind.HOT_KEY);
  }

  /** A transaction counts as the writes it is made of, so that it compares with single ones. */
  private static int buckets(StoreCall call) {
    if (call instanceof StoreCall.Transaction transaction) {
      return transaction.plans().size() + transaction.changes().size();
    }
    return call instanceof StoreCall.ReadAll all ? all.keys().size() : 1;
  }
}
