package dev.millrace.regions;

import dev.millrace.BucketKey;
import dev.millrace.core.internal.protocol.ShardReadProtocol;
import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.TableClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The calls to the table of a region, with a bounded number of attempts. */
final class RegionTable {
  /** Most times that one call is sent. */
  static final int MAX_TRIES = 4;

  /** Most entries of a listing that are read with one call. */
  static final int PAGE = 1_000;

  private static final long TIMEOUT_MS = 5_000;

  private final BlockingStore store;
  private final TableClock clock;
  private final Supplier<String> ids;
  private long untilMs = Long.MAX_VALUE;

  RegionTable(BlockingStore store, LongSupplier clockMs, Supplier<String> ids) {
    this.store = store;
    this.clock = new TableClock(clockMs);
    this.ids = ids;
  }

  /** The current time, by the clock of the store. */
  long nowMs() {
    return clock.nowMs();
  }

  /** From here on no call begins that could not end within {@code ms}; negative for no end. */
  void limit(long ms) {
    untilMs = ms < 0 ? Long.MAX_VALUE : clock.rawMs() + ms;
  }

  /** The time limit of a call that is made now. */
  long leftMs() {
    if (untilMs == Long.MAX_VALUE) {
      return TIMEOUT_MS;
    }
    long leftMs = untilMs - clock.rawMs();
    if (leftMs <= 0) {
      throw SyncException.late();
    }
    return Math.min(TIMEOUT_MS, leftMs);
  }

  String nextId() {
    return ids.get();
  }

  /** The current state of records. */
  Map<RecordKey, StoredRecord> lookup(Collection<? extends RecordKey> keys) {
    Map<RecordKey, StoredRecord> found = new HashMap<>();
    List<RecordKey> all = List.copyOf(keys);
    for (int from = 0; from < all.size(); from += StoreCall.Lookup.MAX_KEYS) {
      int to = Math.min(all.size(), from + StoreCall.Lookup.MAX_KEYS);
      StoreReply reply =
          execute(new StoreCall.Lookup(all.subList(from, to), /* consistent= */ true));
      found.putAll(((StoreReply.Records) reply).records());
    }
    return found;
  }

  Map<BucketKey, BucketState> readAll(List<BucketKey> keys) {
    Map<BucketKey, BucketState> found = new HashMap<>();
    for (int from = 0; from < keys.size(); from += StoreCall.ReadAll.MAX_KEYS) {
      int to = Math.min(keys.size(), from + StoreCall.ReadAll.MAX_KEYS);
      StoreReply reply = execute(new StoreCall.ReadAll(keys.subList(from, to)));
      found.putAll(((StoreReply.FoundAll) reply).states());
    }
    return found;
  }

  /** All shards of a bucket in their order; none when there is no bucket. */
  List<BucketState> shards(BucketKey first, int believed) {
    Step<ShardReadProtocol.Result> step = ShardReadProtocol.start(first, believed);
    while (step instanceof Step.Ask<ShardReadProtocol.Result> ask) { // ends: its rounds are bounded
      List<StoreReply> replies = ask.calls().stream().map(this::execute).toList();
      step = ask.next().resume(replies, clock.nowMs());
    }
    return ((Step.Done<ShardReadProtocol.Result>) step).result().shards();
  }

  void list(Listing listing, Consumer<ListEntry> each) {
    String cursor = null;
    do {
      StoreReply.Page page =
          (StoreReply.Page) execute(new StoreCall.ListPage(listing, PAGE, cursor));
      page.entries().forEach(each);
      cursor = page.cursor();
    } while (cursor != null);
  }

  /** Writes all or nothing; null when it is done, else the refusal. */
  StoreReply.@Nullable Cancelled transact(List<WritePlan> plans, List<RecordChange> changes) {
    StoreReply reply = execute(new StoreCall.Transaction(plans, changes, ids.get()));
    return reply instanceof StoreReply.Cancelled cancelled ? cancelled : null;
  }

  /** A transaction is sent again unchanged: its token ensures that it is applied once. */
  private StoreReply execute(StoreCall call) {
    List<StoreFailure> failures = new ArrayList<>();
    while (failures.size() < MAX_TRIES) {
      long sentMs = clock.rawMs();
      StoreReply reply = store.execute(call, leftMs());
      clock.observe(sentMs, clock.rawMs(), reply.receipt());
      if (reply instanceof StoreReply.NotApplied notApplied) {
        failures.add(notApplied.failure());
      } else if (reply instanceof StoreReply.Unknown unknown) {
        failures.add(unknown.failure());
      } else {
        return reply;
      }
    }
    StoreFailure last = failures.get(failures.size() - 1);
    throw new SyncException(
        "the table does not answer (" + last.kind() + ", tried " + MAX_TRIES + " times)",
        last.cause());
  }
}
