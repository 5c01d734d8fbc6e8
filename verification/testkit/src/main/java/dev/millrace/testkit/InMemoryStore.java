package dev.millrace.testkit;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.PlanEffect;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.testkit.internal.memory.CallRules;
import dev.millrace.testkit.internal.memory.MemoryListings;
import dev.millrace.testkit.internal.memory.MemoryTable;
import dev.millrace.testkit.internal.memory.MemoryTransactions;
import dev.millrace.testkit.internal.memory.PlanRules;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that answers as DynamoDB does: each write is atomic for its bucket and each
 * transaction for everything it names, conditions are evaluated on what is there, and a refused
 * write tells what refused it. That it agrees with DynamoDB is what {@link StoreContract} checks,
 * so tests may rely on it.
 *
 * <p>Beyond what the plans and calls say themselves:
 *
 * <ul>
 *   <li>A change of a limit that the bucket does not have is refused, with or without bounds: it
 *       never makes half a limit. The same goes for parameters set on a missing limit.
 *   <li>A plan or call that DynamoDB would call invalid (a limit or key named twice, a floor above
 *       its ceiling, an adjust with bounds, too many keys or none) is an {@link
 *       IllegalArgumentException}.
 *   <li>The children of an entity are counted by {@code AddChildren} alone: a new entity has none,
 *       and an update leaves their number and the counting leaves the version as it is.
 *   <li>A transaction that was made is made once under its token, as long as it is one of the last
 *       10,000; one that was cancelled is tried again. The token of another transaction is an
 *       {@link IllegalArgumentException}.
 *   <li>Listings are in the order of their keys, and a full page always has a cursor, even when
 *       nothing follows. A cursor of another listing is an {@link IllegalArgumentException}.
 *   <li>Balances end at 64 bits instead of wrapping.
 *   <li>Nothing expires by itself: {@link #remove} does what an expiry would.
 * </ul>
 *
 * <p>What is billed does not depend on the size of items, and indexes are not billed. Write units:
 * 1 a write, applied or refused; 2 for each write of a transaction, made or cancelled; 1 for each
 * item erased. Read units: 1 a read; 1 for each bucket of {@code ReadAll} and each record of a
 * consistent lookup, half for each record of any other, there or not; half a page of a listing; 2
 * for each write of a transaction that had been made before.
 *
 * <p>Safe for use by many threads. Time-outs are ignored, as nothing takes time.
 */
public final class InMemoryStore implements BlockingStore, AsyncStore {
  private static final long SECOND_MS = 1_000;
  private static final double CONSISTENT = 1;
  private static final double EVENTUAL = 0.5;
  private static final double TRANSACTIONAL = 2;

  private final MemoryTable table = new MemoryTable();
  private final MemoryTransactions transactions = new MemoryTransactions(table);
  private final MemoryListings listings = new MemoryListings(table);
  private final @Nullable LongSupplier clockMs;

  /** An empty store whose receipts tell no time. */
  public InMemoryStore() {
    this(null);
  }

  private InMemoryStore(@Nullable LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /** An empty store whose receipts tell the time of {@code clockMs} in whole seconds. */
  public static InMemoryStore withClock(LongSupplier clockMs) {
    return new InMemoryStore(clockMs);
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    if (call instanceof StoreCall.Write write) {
      return write(write.plan());
    }
    if (call instanceof StoreCall.Read read) {
      return new StoreReply.Found(table.bucket(read.key()), receipt(CONSISTENT, 0));
    }
    if (call instanceof StoreCall.ReadAll readAll) {
      return readAll(readAll);
    }
    if (call instanceof StoreCall.Lookup lookup) {
      return lookup(lookup);
    }
    if (call instanceof StoreCall.Transaction transaction) {
      return transaction(transaction);
    }
    return call instanceof StoreCall.ListPage page ? page(page) : erase((StoreCall.Erase) call);
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    try {
      return CompletableFuture.completedFuture(execute(call, timeoutMs));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Forgets a bucket, as an expiry does. Returns whether it was there. */
  public boolean remove(BucketKey key) {
    return table.locked(key, () -> table.remove(key));
  }

  /** Forgets a record, as an expiry does. Returns whether it was there. */
  public boolean remove(RecordKey key) {
    return table.locked(key, () -> table.remove(key));
  }

  /** The bucket as it is now, null when there is none. Costs nothing. */
  public @Nullable BucketState snapshot(BucketKey key) {
    return table.bucket(key);
  }

  /**
   * Whole tokens of {@code limit} that {@code entityId} has consumed of {@code resource} since its
   * bucket began, less refunds; 0 when there is no bucket. For buckets that are not divided.
   */
  public long consumed(String namespace, String entityId, String resource, String limit) {
    BucketState bucket = snapshot(BucketKey.first(namespace, entityId, resource));
    BucketState.LimitState state = bucket == null ? null : bucket.find(limit);
    return state == null ? 0 : state.consumedMilli() / Limit.MILLI;
  }

  /** The record as it is now, null when there is none. Costs nothing. */
  public @Nullable StoredRecord record(RecordKey key) {
    return table.record(key);
  }

  /** Stores a record exactly as it is, whatever was there: for setting up a test. */
  public void put(StoredRecord record) {
    table.locked(
        record.key(),
        () -> {
          table.put(record);
          return record;
        });
  }

  /** How many buckets there are. */
  public int size() {
    return table.bucketCount();
  }

  /** How many records there are beside the buckets. */
  public int records() {
    return table.recordCount();
  }

  /** Everything that is stored, buckets and records of all namespaces. Costs nothing. */
  public List<ListEntry.Item> items() {
    return table.items().entrySet().stream()
        .map(
            item ->
                new ListEntry.Item(
                    item.getValue().namespace(),
                    new ItemAddress(item.getKey().partition(), item.getKey().sort())))
        .toList();
  }

  private StoreReply write(WritePlan plan) {
    PlanRules.check(plan);
    return table.locked(
        plan.key(),
        () -> {
          BucketState before = table.bucket(plan.key());
          BucketState after = PlanEffect.apply(before, plan);
          Receipt receipt = receipt(0, 1);
          if (after == null) { // refused: what takes a bucket away is part of a transaction
            return new StoreReply.Refused(before, receipt);
          }
          table.put(after);
          return new StoreReply.Applied(after, receipt);
        });
  }

  private StoreReply readAll(StoreCall.ReadAll call) {
    CallRules.check(call);
    Map<BucketKey, BucketState> states = new HashMap<>();
    for (BucketKey key : call.keys()) {
      BucketState state = table.bucket(key);
      if (state != null) {
        states.put(key, state);
      }
    }
    return new StoreReply.FoundAll(states, receipt(CONSISTENT * call.keys().size(), 0));
  }

  private StoreReply lookup(StoreCall.Lookup call) {
    CallRules.check(call);
    Map<RecordKey, StoredRecord> records = new HashMap<>();
    for (RecordKey key : call.keys()) {
      StoredRecord record = table.record(key);
      if (record != null) {
        records.put(key, record);
      }
    }
    double each = call.consistent() ? CONSISTENT : EVENTUAL;
    return new StoreReply.Records(records, receipt(each * call.keys().size(), 0));
  }

  private StoreReply transaction(StoreCall.Transaction call) {
    CallRules.check(call);
    MemoryTransactions.Result result = transactions.execute(call);
    double units = TRANSACTIONAL * (call.plans().size() + call.changes().size());
    return switch (result.end()) {
      case MADE -> new StoreReply.Committed(receipt(0, units));
      case MADE_BEFORE -> new StoreReply.Committed(receipt(units, 0));
      case CANCELLED -> new StoreReply.Cancelled(result.causes(), receipt(0, units));
    };
  }

  private StoreReply page(StoreCall.ListPage call) {
    CallRules.check(call);
    MemoryListings.Result page = listings.page(call);
    return new StoreReply.Page(page.entries(), page.cursor(), receipt(EVENTUAL, 0));
  }

  private StoreReply erase(StoreCall.Erase call) {
    CallRules.check(call);
    call.buckets().forEach(this::remove);
    call.items().forEach(table::erase);
    return new StoreReply.Erased(receipt(0, call.buckets().size() + call.items().size()));
  }

  private Receipt receipt(double readUnits, double writeUnits) {
    long timeMs =
        clockMs == null
            ? Receipt.NO_TIME
            : Math.floorDiv(clockMs.getAsLong(), SECOND_MS) * SECOND_MS;
    return new Receipt(readUnits, writeUnits, /* indexWriteUnits= */ 0, timeMs);
  }
}
