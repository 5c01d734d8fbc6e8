package dev.millrace.testkit.internal.contract;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.testkit.StoreContract;

/** The store under test, as the parts of {@link StoreContract} use it. */
public interface StoreUnderTest {
  BlockingStore blocking();

  AsyncStore async();

  /**
   * Waits a moment for indexes, and for reads that are not consistent, to catch up with what was
   * written. Called before each look at one of them; what is not there yet is looked for again, at
   * most {@link #MAX_LOOKS} times.
   */
  default void awaitIndexes() {}

  /** How often a listing is looked at until it says what it should. */
  int MAX_LOOKS = 20;
}
