package dev.millrace.testkit.internal.model;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.testkit.StoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** The model of DynamoDB keeps the contract where nothing is limited and nothing conflicts. */
class ModelStoreContractTest extends StoreContract {
  private final ModelStore store = ModelStore.of(Duration.ZERO, PartitionLimits.NONE);

  @AfterEach
  void close() {
    store.close();
  }

  @Override
  public BlockingStore blocking() {
    return store;
  }

  @Override
  public AsyncStore async() {
    return store;
  }
}
