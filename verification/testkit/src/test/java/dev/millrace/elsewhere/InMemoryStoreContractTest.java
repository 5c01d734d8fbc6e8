package dev.millrace.elsewhere;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.StoreContract;

/**
 * The store in memory keeps the contract. The comparison with itself checks that it is repeatable.
 */
class InMemoryStoreContractTest extends StoreContract {
  private final InMemoryStore store = new InMemoryStore();

  @Override
  public BlockingStore blocking() {
    return store;
  }

  @Override
  public AsyncStore async() {
    return store;
  }

  @Override
  public int randomSequences() {
    return 2_000;
  }
}
