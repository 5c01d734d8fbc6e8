package dev.millrace.simulator;

import dev.millrace.BucketKey;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.simulator.oracle.Promise;
import dev.millrace.simulator.oracle.TableWrite;
import dev.millrace.simulator.oracle.Violation;
import dev.millrace.testkit.InMemoryStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The table that everybody shares: the model store, whose every change is shown to the oracle, and
 * which does what DynamoDB does and DynamoDB Local never: old answers to look-ups that need not be
 * consistent, partitions that throttle, and expiry.
 */
final class Table {
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long MS_PER_SECOND = 1_000;

  /** How long an eventually consistent look-up can miss a change. */
  private static final long STALE_NANOS = 500 * NANOS_PER_MS;

  private record Old(@Nullable StoredRecord record, long changedNanos) {}

  private final Loop loop;
  private final long epochMs;
  private final InMemoryStore store;
  private final Chance chance;
  private final Trace trace;
  private final Consumer<List<TableWrite>> observer;
  private final UnaryOperator<StoreCall> tampering;
  private final Map<RecordKey, Old> old = new HashMap<>();
  private final Map<BucketKey, Long> lastNumber = new HashMap<>();

  /** The shards that there are, in an order that does not depend on anybody's hash codes. */
  private final TreeMap<String, BucketKey> buckets = new TreeMap<>();

  /** The shards of each bucket, by its first. */
  private final Map<BucketKey, TreeMap<Integer, BucketState>> shards = new HashMap<>();

  /** When any shard of a bucket was last changed, by its first. */
  private final Map<BucketKey, Long> writtenNanos = new HashMap<>();

  private final Map<BucketKey, Long> reshapedNanos = new HashMap<>();
  private final Network network;
  private final Partitions partitions;
  private long writes;
  private long applied;

  Table(
      Loop loop,
      long epochMs,
      Network network,
      Partitions partitions,
      Chance chance,
      Trace trace,
      Consumer<List<TableWrite>> observer,
      UnaryOperator<StoreCall> tampering) {
    this.loop = loop;
    this.epochMs = epochMs;
    this.network = network;
    this.partitions = partitions;
    this.chance = chance.split("table");
    this.trace = trace;
    this.observer = observer;
    this.tampering = tampering;
    this.store = InMemoryStore.withClock(this::trueMs);
  }

  InMemoryStore store() {
    return store;
  }

  long trueMs() {
    return epochMs + loop.nowNanos() / NANOS_PER_MS;
  }

  /**
   * How many writes of buckets were made for those who ask. What is taken from several shards at
   * once counts as one, and what divides a bucket or merges its shards as none.
   */
  long applied() {
    return applied;
  }

  /** Whether nothing that a process sends at the moment meets trouble. */
  boolean isFair(String process) {
    Weather now = network.weather();
    return now.equals(Weather.fair(now.halfTripMicros())) && !network.isPartitioned(process);
  }

  /** Whether some of the time since {@code sinceNanos} nothing of a process got through. */
  boolean wasCutOffSince(String process, long sinceNanos) {
    return network.wasPartitionedSince(process, sinceNanos);
  }

  /** How many writes of buckets arrived, applied or not. */
  long writes() {
    return writes;
  }

  Set<Map.Entry<String, BucketKey>> buckets() {
    return buckets.entrySet();
  }

  /** The limits that are stored for the entity and resource of a bucket, null for none. */
  @Nullable LimitSet limits(BucketKey key) {
    RecordKey record =
        RecordKey.Config.ofEntityResource(key.namespace(), key.entityId(), key.resource());
    return store.record(record) instanceof ConfigRecord config ? config.limits() : null;
  }

  @Nullable BucketState state(BucketKey key) {
    return store.snapshot(key);
  }

  /** All shards of a bucket, none when there is no bucket. */
  List<BucketState> shards(BucketKey key) {
    TreeMap<Integer, BucketState> present = shards.get(key.withShard(0));
    return present == null ? List.of() : List.copyOf(present.values());
  }

  /** Whether a bucket has several shards. */
  boolean isDivided(BucketKey key) {
    TreeMap<Integer, BucketState> present = shards.get(key.withShard(0));
    return present != null && present.size() > 1;
  }

  /** When any shard of a bucket was last changed, null when none ever was. */
  @Nullable Long writtenNanos(BucketKey key) {
    return writtenNanos.get(key.withShard(0));
  }

  /** When shards of a bucket were last split or merged, null when none ever were. */
  @Nullable Long reshapedNanos(BucketKey key) {
    return reshapedNanos.get(key.withShard(0));
  }

  /** A call arrives. */
  StoreReply execute(Sent sent) {
    StoreCall call = tampering.apply(sent.call());
    try {
      return execute(sent, call);
    } catch (IllegalArgumentException e) {
      Violation violation =
          new Violation(Promise.NO_BUGS, sent.sender().name() + " sent what no store takes: " + e);
      violation.initCause(e);
      throw violation;
    }
  }

  private StoreReply execute(Sent sent, StoreCall call) {
    StoreReply reply;
    if (!network.isHealed() && !partitions.bears(call, loop.nowNanos())) {
      sent.sender().saw(Event.PARTITION_THROTTLED);
      reply =
          new StoreReply.NotApplied(
              new StoreFailure(StoreFailure.Kind.HOT_KEY, null), Receipt.NONE);
    } else if (call instanceof StoreCall.Write write) {
      reply = write(sent, write);
    } else if (call instanceof StoreCall.Transaction transaction) {
      reply = transaction(sent, transaction);
    } else if (call instanceof StoreCall.Erase erase) {
      reply = erase(sent, erase);
    } else if (call instanceof StoreCall.Lookup lookup && !lookup.consistent()) {
      reply = withOld(sent, lookup, (StoreReply.Records) store.execute(call, Long.MAX_VALUE));
    } else {
      reply = store.execute(call, Long.MAX_VALUE);
    }
    trace.tell(
        loop.nowNanos(),
        sent.sender().name(),
        Told.mark(call, reply),
        () -> "table: " + Told.call(call) + " → " + Told.reply(reply));
    return reply;
  }

  private StoreReply write(Sent sent, StoreCall.Write call) {
    writes++;
    noteOrder(sent, call.key());
    BucketState before = store.snapshot(call.key());
    StoreReply reply = store.execute(call, Long.MAX_VALUE);
    boolean applied = reply instanceof StoreReply.Applied;
    sent.sender().saw(Kinds.of(call.plan(), applied));
    if (before == null && call.key().shard() != 0) {
      boolean settles = call.plan() instanceof WritePlan.Adjust;
      sent.sender().saw(settles ? Event.SETTLEMENT_CLIMBED : Event.SHARD_GONE);
    }
    if (reply instanceof StoreReply.Applied made) {
      this.applied += call.plan() instanceof WritePlan.Resize ? 0 : 1;
      show(List.of(noted(sent, sent.sender().source(), call.key(), before, made.state())));
    }
    return reply;
  }

  private void noteOrder(Sent sent, BucketKey key) {
    Long last = lastNumber.get(key);
    if (last != null && last > sent.number()) {
      sent.sender().saw(Event.REORDERED);
    } else {
      lastNumber.put(key, sent.number());
    }
  }

  private StoreReply transaction(Sent sent, StoreCall.Transaction call) {
    writes += call.plans().size();
    List<@Nullable BucketState> before = new ArrayList<>(call.plans().size());
    for (WritePlan plan : call.plans()) {
      before.add(store.snapshot(plan.key()));
    }
    Map<RecordKey, Old> replaced = new HashMap<>();
    for (RecordChange change : call.changes()) {
      replaced.put(change.key(), new Old(store.record(change.key()), loop.nowNanos()));
    }
    StoreReply reply = store.execute(call, Long.MAX_VALUE);
    boolean made = reply instanceof StoreReply.Committed;
    Kinds.of(call, made).forEach(sent.sender()::saw);
    if (!made) {
      return reply;
    }
    List<TableWrite> together = new ArrayList<>(call.plans().size());
    for (int i = 0; i < call.plans().size(); i++) {
      BucketKey key = call.plans().get(i).key();
      BucketState after = store.snapshot(key);
      if (!Objects.equals(after, before.get(i))) { // made before under the same token
        together.add(noted(sent, sent.sender().source(), key, before.get(i), after));
      }
    }
    if (!together.isEmpty()) {
      applied += Kinds.charges(call) ? Kinds.buckets(call).size() : 0;
      if (Kinds.reshapes(call)) {
        reshapedNanos.put(together.get(0).key().withShard(0), loop.nowNanos());
      }
      show(together);
    }
    replaced.forEach(
        (key, was) -> {
          if (was.record == null || !was.record.equals(store.record(key))) {
            old.put(key, was);
          }
        });
    return reply;
  }

  private StoreReply erase(Sent sent, StoreCall.Erase call) {
    List<@Nullable BucketState> before = new ArrayList<>();
    for (BucketKey key : call.buckets()) {
      before.add(store.snapshot(key));
    }
    StoreReply reply = store.execute(call, Long.MAX_VALUE);
    for (int i = 0; i < call.buckets().size(); i++) {
      if (before.get(i) != null) {
        show(
            List.of(
                noted(sent, TableWrite.Source.ERASE, call.buckets().get(i), before.get(i), null)));
      }
    }
    return reply;
  }

  private StoreReply withOld(Sent sent, StoreCall.Lookup call, StoreReply.Records found) {
    Map<RecordKey, StoredRecord> records = new HashMap<>(found.records());
    boolean changed = false;
    for (RecordKey key : call.keys()) {
      Old was = old.get(key);
      if (was != null
          && loop.nowNanos() - was.changedNanos < STALE_NANOS
          && chance.perMille(network.weather().stale())) {
        changed = true;
        if (was.record == null) {
          records.remove(key);
        } else {
          records.put(key, was.record);
        }
      }
    }
    if (!changed) {
      return found;
    }
    sent.sender().saw(Event.STALE_LOOK_UP);
    return new StoreReply.Records(records, found.receipt());
  }

  /** Deletes what has expired, as the table does some time after. */
  int expire(Consumer<Event> coverage) {
    int expired = 0;
    for (BucketKey key : List.copyOf(buckets.values())) {
      BucketState state = store.snapshot(key);
      if (state != null
          && state.expiresAtSeconds() != BucketState.NEVER
          && state.expiresAtSeconds() * MS_PER_SECOND < trueMs()) {
        store.remove(key);
        coverage.accept(Event.EXPIRED);
        expired++;
        trace.tell(loop.nowNanos(), "table", key.hashCode(), () -> "expired: " + key);
        show(List.of(noted(null, TableWrite.Source.EXPIRY, key, state, null)));
      }
    }
    return expired;
  }

  private void show(List<TableWrite> together) {
    observer.accept(together);
  }

  private TableWrite noted(
      @Nullable Sent sent,
      TableWrite.Source source,
      BucketKey key,
      @Nullable BucketState before,
      @Nullable BucketState after) {
    BucketKey first = key.withShard(0);
    writtenNanos.put(first, loop.nowNanos());
    TreeMap<Integer, BucketState> present =
        shards.computeIfAbsent(first, absent -> new TreeMap<>());
    if (before == null) {
      buckets.put(key.toString(), key);
    }
    if (after == null) {
      buckets.remove(key.toString());
      present.remove(key.shard());
    } else {
      present.put(key.shard(), after);
      if (sent != null && isOverdrawn(after)) {
        sent.sender().saw(Event.OVERDRAWN);
      }
    }
    return new TableWrite(
        epochMs * MS_PER_SECOND + loop.nowNanos() / NANOS_PER_MICRO,
        sent == null ? "table" : sent.sender().name(),
        source,
        key,
        before,
        after,
        sent == null ? trueMs() : sent.senderMs(),
        sent == null ? Map.of() : sent.sender().uncheckedMilli(first),
        sent == null ? Map.of() : sent.sender().givenBackMilli(first),
        sent == null || !(sent.call() instanceof StoreCall.Transaction));
  }

  private static boolean isOverdrawn(BucketState state) {
    for (LimitState limit : state.limits()) {
      if (limit.tokensMilli() < 0) {
        return true;
      }
    }
    return false;
  }
}
