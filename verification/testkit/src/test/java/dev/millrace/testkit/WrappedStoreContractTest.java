package dev.millrace.testkit;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;

/** The wrappers, with nothing to do, change nothing. */
class WrappedStoreContractTest extends StoreContract {
  private final RecordingStore store =
      RecordingStore.over(FaultyStore.over(new InMemoryStore()).always(Calls.any(), Fault.none()));

  @Override
  public BlockingStore blocking() {
    return store;
  }

  @Override
  public AsyncStore async() {
    return store;
  }
}
