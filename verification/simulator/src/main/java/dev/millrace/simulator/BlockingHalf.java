package dev.millrace.simulator;

import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;

/** A wire of which only the blocking half can be seen. */
record BlockingHalf(Wire wire) implements BlockingStore {
  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    return wire.execute(call, timeoutMs);
  }
}
