package dev.millrace.testkit;

import dev.millrace.core.store.AsyncStore;
import dev.millrace.core.store.BlockingStore;

/** What the parts of {@link StoreContract} have in common. */
interface StoreUnderTest {
  BlockingStore blocking();

  AsyncStore async();
}
