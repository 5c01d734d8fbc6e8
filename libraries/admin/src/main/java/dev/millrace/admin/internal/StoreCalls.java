package dev.millrace.admin.internal;

import dev.millrace.BucketKey;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ItemAddress;
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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The store calls of the administration, with retries: a read, an erasure and a transaction (which
 * has a token) can be repeated.
 */
public final class StoreCalls {
  /** Most times that one call is sent. */
  public static final int MAX_TRIES = 6;

  private final BlockingStore store;
  private final long timeoutMs;
  private final TableClock clock;
  private final OptimisticRetry retry;
  private final TimeIds ids;

  StoreCalls(
      BlockingStore store, long timeoutMs, TableClock clock, OptimisticRetry retry, TimeIds ids) {
    this.store = store;
    this.timeoutMs = timeoutMs;
    this.clock = clock;
    this.retry = retry;
    this.ids = ids;
  }

  /** The current state of records; any number of keys, with repetitions. */
  public Map<RecordKey, StoredRecord> lookup(Collection<? extends RecordKey> keys) {
    Map<RecordKey, StoredRecord> found = new HashMap<>();
    List<RecordKey> once = new ArrayList<>(new LinkedHashSet<>(keys));
    for (List<RecordKey> part : parts(once, StoreCall.Lookup.MAX_KEYS)) {
      StoreReply reply = execute(new StoreCall.Lookup(part, /* consistent= */ true));
      found.putAll(((StoreReply.Records) reply).records());
    }
    return found;
  }

  /** The current state of buckets; any number of keys, each once. */
  public Map<BucketKey, BucketState> readAll(List<BucketKey> keys) {
    Map<BucketKey, BucketState> found = new HashMap<>();
    for (List<BucketKey> part : parts(keys, StoreCall.ReadAll.MAX_KEYS)) {
      StoreReply reply = execute(new StoreCall.ReadAll(part));
      found.putAll(((StoreReply.FoundAll) reply).states());
    }
    return found;
  }

  public StoreReply.Page list(Listing listing, int pageSize, @Nullable String cursor) {
    return (StoreReply.Page) execute(new StoreCall.ListPage(listing, pageSize, cursor));
  }

  /** Changes buckets and records, all or none. Returns null when it is done, else the refusal. */
  public StoreReply.@Nullable Cancelled commit(
      List<WritePlan> plans, List<? extends RecordChange> changes) {
    StoreReply reply = execute(new StoreCall.Transaction(plans, List.copyOf(changes), ids.next()));
    return reply instanceof StoreReply.Cancelled cancelled ? cancelled : null;
  }

  /** Deletes items; any number, each once. */
  void eraseItems(List<ItemAddress> items) {
    for (List<ItemAddress> part : parts(items, StoreCall.Erase.MAX_ITEMS)) {
      execute(new StoreCall.Erase(List.of(), part));
    }
  }

  /** Deletes buckets; any number, each once. */
  void eraseBuckets(List<BucketKey> buckets) {
    for (List<BucketKey> part : parts(buckets, StoreCall.Erase.MAX_ITEMS)) {
      execute(new StoreCall.Erase(part, List.of()));
    }
  }

  <R> R run(Step<R> first) {
    return run(first, this::exchange);
  }

  /** Runs a conversation that only reads: failed calls are repeated. */
  <R> R ask(Step<R> first) {
    return run(first, this::execute);
  }

  private <R> R run(Step<R> first, Function<StoreCall, StoreReply> how) {
    Step<R> step = first;
    while (step instanceof Step.Ask<R> ask) { // ends: every conversation counts its attempts
      List<StoreReply> replies = new ArrayList<>(ask.calls().size());
      for (StoreCall call : ask.calls()) {
        replies.add(how.apply(call));
      }
      step = ask.next().resume(replies, clock.nowMs());
    }
    return ((Step.Done<R>) step).result();
  }

  private StoreReply execute(StoreCall call) {
    boolean mayBeMade = false;
    for (int tries = 1; ; tries++) {
      StoreReply reply = exchange(call);
      StoreFailure failure = failureOf(reply);
      if (failure == null) {
        return reply;
      }
      mayBeMade |= call.writes() && reply instanceof StoreReply.Unknown;
      if (tries == MAX_TRIES || failure.kind() == StoreFailure.Kind.INTERRUPTED) {
        throw unavailable(call, failure, tries, mayBeMade);
      }
      retry.backOff(tries);
    }
  }

  private StoreReply exchange(StoreCall call) {
    long sentMs = clock.rawMs();
    StoreReply reply = store.execute(call, timeoutMs);
    clock.observe(sentMs, clock.rawMs(), reply.receipt());
    return reply;
  }

  private static @Nullable StoreFailure failureOf(StoreReply reply) {
    if (reply instanceof StoreReply.NotApplied notApplied) {
      return notApplied.failure();
    }
    return reply instanceof StoreReply.Unknown unknown ? unknown.failure() : null;
  }

  private static LimiterUnavailableException unavailable(
      StoreCall call, StoreFailure failure, int tries, boolean mayBeMade) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("call", call.getClass().getSimpleName());
    attributes.put("failure", failure.kind());
    attributes.put("tries", tries);
    attributes.put("mayBeMade", mayBeMade);
    return new LimiterUnavailableException(
        "the store could not be reached", attributes, failure.cause());
  }

  /** The list in parts of at most {@code size}. */
  static <T> List<List<T>> parts(List<T> all, int size) {
    List<List<T>> parts = new ArrayList<>();
    for (int from = 0; from < all.size(); from += size) {
      parts.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return parts;
  }
}
