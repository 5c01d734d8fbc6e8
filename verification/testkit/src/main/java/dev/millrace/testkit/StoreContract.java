package dev.millrace.testkit;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.testkit.internal.contract.AdjustContract;
import dev.millrace.testkit.internal.contract.AtomicityContract;
import dev.millrace.testkit.internal.contract.AuditListingContract;
import dev.millrace.testkit.internal.contract.CallDifferentialContract;
import dev.millrace.testkit.internal.contract.ConfigStampContract;
import dev.millrace.testkit.internal.contract.ConsumeContract;
import dev.millrace.testkit.internal.contract.CreateContract;
import dev.millrace.testkit.internal.contract.DifferentialContract;
import dev.millrace.testkit.internal.contract.EraseContract;
import dev.millrace.testkit.internal.contract.ListingContract;
import dev.millrace.testkit.internal.contract.LockedContract;
import dev.millrace.testkit.internal.contract.PagingContract;
import dev.millrace.testkit.internal.contract.ParametersContract;
import dev.millrace.testkit.internal.contract.ReadContract;
import dev.millrace.testkit.internal.contract.RecordContract;
import dev.millrace.testkit.internal.contract.RecordFieldsContract;
import dev.millrace.testkit.internal.contract.ShardContract;
import dev.millrace.testkit.internal.contract.SplitContract;
import dev.millrace.testkit.internal.contract.TokenContract;
import dev.millrace.testkit.internal.contract.TransactionContract;
import dev.millrace.testkit.internal.contract.WriteUnitsContract;

/**
 * The contract of every store, as a JUnit test: extend it and name the store.
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
 * <p>Each assertion runs through both ports. Every test makes buckets and records of its own under
 * names that nobody else has, so a shared table will do, and leaves them behind. Beyond single
 * plans, random sequences of plans and of calls must be answered exactly as {@link InMemoryStore}
 * answers them: that is what lets all other tests rely on the store in memory.
 *
 * <p>Some rules go beyond what the plans and calls say themselves:
 *
 * <ul>
 *   <li>A plan that changes a limit, or sets its parameters, is refused by a bucket without that
 *       limit, whether the change has bounds or not: no write makes half a limit.
 *   <li>A consume or adjust that changes nothing still stamps its id and its expiry.
 *   <li>A consume is refused by a bucket that is switched off; a locked write and an adjust are
 *       not.
 *   <li>An adjust that sets an expiry is refused by a shard of several; one that sets none is not.
 *   <li>What is added to the reserved limit is never a condition, whatever its balance.
 *   <li>A shard that a transaction took away is found in no listing any more.
 *   <li>A new entity has no children, whatever its record says; an update leaves their number, and
 *       counting them leaves the version as it is.
 *   <li>A cancelled transaction tells at least one write that was refused, and no other; it may be
 *       sent again under its token, and is then tried anew.
 *   <li>A page that is full may have a cursor although nothing follows. What was not changed
 *       between two pages is listed once, and always in the same order.
 *   <li>What could only be a mistake (a key named twice, too many or none, another transaction's
 *       token, another listing's cursor) is an {@link IllegalArgumentException}.
 * </ul>
 */
public abstract class StoreContract
    implements ReadContract,
        CreateContract,
        LockedContract,
        ConsumeContract,
        AdjustContract,
        ParametersContract,
        AtomicityContract,
        ConfigStampContract,
        ShardContract,
        SplitContract,
        WriteUnitsContract,
        RecordContract,
        RecordFieldsContract,
        TransactionContract,
        TokenContract,
        ListingContract,
        AuditListingContract,
        PagingContract,
        EraseContract,
        DifferentialContract,
        CallDifferentialContract {
  /** For the tests that extend it. */
  protected StoreContract() {}

  /** The store under test, for a caller that waits. */
  @Override
  public abstract BlockingStore blocking();

  /** The same store, for a caller that does not wait. */
  @Override
  public abstract AsyncStore async();

  /**
   * Waits a moment for the store's indexes; does nothing where they never lag behind. On a store
   * where they do, a second is ample: what is not seen then is looked for again, a few times.
   */
  @Override
  public void awaitIndexes() {}

  /** How many random sequences of plans are tried; fewer for a slow store. */
  @Override
  public int randomSequences() {
    return 100;
  }
}
