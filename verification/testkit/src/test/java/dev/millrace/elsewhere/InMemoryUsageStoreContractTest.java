package dev.millrace.elsewhere;

import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.testkit.InMemoryUsageStore;
import dev.millrace.testkit.UsageStoreContract;

/** Usage in memory keeps the contract. */
class InMemoryUsageStoreContractTest extends UsageStoreContract {
  private final InMemoryUsageStore store = new InMemoryUsageStore();

  @Override
  public UsageStore store() {
    return store;
  }
}
