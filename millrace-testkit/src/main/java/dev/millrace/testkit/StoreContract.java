package dev.millrace.testkit;

import dev.millrace.core.store.AsyncStore;
import dev.millrace.core.store.BlockingStore;

/**
 * What every store must do, as a JUnit test: extend it and say which store.
 *
 * <pre>{@code
 * class MyStoreTest extends StoreContract {
 *   private final MyStore store = new MyStore();
 *
 *   @Override public BlockingStore blocking() { return store; }
 *   @Override public AsyncStore async() { return store; }
 * }
 * }</pre>
 *
 * <p>Each assertion runs through both ports. Every test makes buckets of its own under names that
 * nobody else has, so a shared table will do, and leaves them behind. Beyond single plans, random
 * sequences of plans must be answered exactly as {@link InMemoryStore} answers them: that is what
 * lets all other tests rely on the store in memory.
 *
 * <p>Two rules go beyond what the plans say themselves. A plan that changes a limit, or sets its
 * parameters, is refused by a bucket without that limit, whether the change has bounds or not: no
 * write makes half a limit. And a consume or adjust that changes nothing still stamps its id and
 * its expiry.
 */
public abstract class StoreContract
    implements ReadContract,
        CreateContract,
        LockedContract,
        ConsumeContract,
        AdjustContract,
        ParametersContract,
        AtomicityContract,
        DifferentialContract {
  /** For the tests that extend it. */
  protected StoreContract() {}

  /** The store under test, for a caller that waits. */
  @Override
  public abstract BlockingStore blocking();

  /** The same store, for a caller that does not wait. */
  @Override
  public abstract AsyncStore async();

  /** How many random sequences of plans are tried; fewer for a slow store. */
  @Override
  public int randomSequences() {
    return 100;
  }
}
