package dev.millrace.testkit.internal.memory;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.PlanEffect;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply.Cancelled.Cause;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes transactions in a {@link MemoryTable}: every condition is looked at before anything is
 * written, under the locks of everything that the transaction names and of its token.
 */
public final class MemoryTransactions {
  /** How a transaction ended. */
  public enum End {
    /** Made now. */
    MADE,
    /** Made before, under the same token; nothing was done now. */
    MADE_BEFORE,
    /** Not made. */
    CANCELLED
  }

  /**
   * What came of a transaction.
   *
   * @param causes one for each write when it was cancelled, else empty
   */
  public record Result(End end, List<Cause> causes) {}

  private final MemoryTable table;
  private final RecentTokens tokens = new RecentTokens();

  public MemoryTransactions(MemoryTable table) {
    this.table = table;
  }

  public Result execute(StoreCall.Transaction transaction) {
    List<Object> keys = new ArrayList<>();
    transaction.plans().forEach(plan -> keys.add(plan.key()));
    transaction.changes().forEach(change -> keys.add(change.key()));
    // The token is locked as well: two of the same token do not pass each other.
    keys.add(transaction.token());
    return table.lockedAll(keys, () -> locked(transaction));
  }

  private Result locked(StoreCall.Transaction transaction) {
    if (tokens.wasMade(transaction)) {
      return new Result(End.MADE_BEFORE, List.of());
    }
    List<Cause> causes = new ArrayList<>();
    for (WritePlan plan : transaction.plans()) {
      BucketState current = table.bucket(plan.key());
      boolean accepted = PlanEffect.accepts(current, plan);
      causes.add(accepted ? Cause.NONE : new Cause(true, current, null));
    }
    for (RecordChange change : transaction.changes()) {
      StoredRecord current = table.record(change.key());
      boolean accepted = RecordModel.accepts(current, change);
      causes.add(accepted ? Cause.NONE : new Cause(true, null, current));
    }
    if (causes.stream().anyMatch(Cause::refused)) {
      return new Result(End.CANCELLED, causes);
    }
    transaction.plans().forEach(this::apply);
    transaction.changes().forEach(this::apply);
    tokens.add(transaction);
    return new Result(End.MADE, List.of());
  }

  private void apply(WritePlan plan) {
    BucketState after = PlanEffect.apply(table.bucket(plan.key()), plan);
    if (after == null) {
      table.remove(plan.key()); // it was accepted, so this is what it does
    } else {
      table.put(after);
    }
  }

  private void apply(RecordChange change) {
    StoredRecord current = table.record(change.key());
    @Nullable StoredRecord after = RecordModel.after(current, change);
    if (after == null) {
      table.remove(change.key());
    } else if (after != current) {
      table.put(after);
    }
  }
}
