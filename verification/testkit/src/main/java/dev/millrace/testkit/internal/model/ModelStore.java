package dev.millrace.testkit.internal.model;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.internal.memory.Conflicts;
import dev.millrace.testkit.internal.model.PartitionThroughput.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * DynamoDB at a scale that DynamoDB Local does not reach: the in-memory store behind a round trip,
 * with DynamoDB's own limits for each partition. Calls take effect in the middle of their round
 * trip, so that two of them under way at once meet in the order in which they were sent.
 *
 * <p>A call that one of its partitions cannot bear is throttled as a whole and takes nothing from
 * the others. One made {@link #withConflicts} also refuses, as DynamoDB does and DynamoDB Local
 * never, who meets a transaction: from the middle of its round trip until its answer is out, a
 * transaction keeps everything it names, and a single write its bucket. A transaction that arrives
 * while any of that is kept by anybody, and a write or erasure that arrives while it is kept by a
 * transaction, is answered {@code NotApplied(CONFLICT)}. Who comes first wins, always. Who is
 * throttled keeps nothing: it never comes as far as the items.
 */
public final class ModelStore implements BlockingStore, AsyncStore, AutoCloseable {
  private final InMemoryStore store = new InMemoryStore();
  private final long halfTripNanos;
  private final PartitionLimits limits;
  private final @Nullable Conflicts conflicts;
  private final LongSupplier nanoTime;
  private final ConcurrentHashMap<String, PartitionThroughput> partitions =
      new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor network;

  private ModelStore(
      Duration roundTrip,
      PartitionLimits limits,
      @Nullable Conflicts conflicts,
      LongSupplier nanoTime) {
    this.halfTripNanos = roundTrip.toNanos() / 2;
    this.limits = limits;
    this.conflicts = conflicts;
    this.nanoTime = nanoTime;
    this.network =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "model-network");
              thread.setDaemon(true);
              return thread;
            });
    network.setRemoveOnCancelPolicy(true);
  }

  /** A store that answers after {@code roundTrip} and limits each partition as told. */
  public static ModelStore of(Duration roundTrip, PartitionLimits limits) {
    return new ModelStore(roundTrip, limits, null, System::nanoTime);
  }

  /** The same, where transactions and other writes that overlap are in each other's way. */
  public static ModelStore withConflicts(Duration roundTrip, PartitionLimits limits) {
    return new ModelStore(roundTrip, limits, new Conflicts(), System::nanoTime);
  }

  /** A store that answers at once, and whose partitions earn by a clock that a test moves. */
  public static ModelStore atTime(PartitionLimits limits, LongSupplier nanoTime) {
    return new ModelStore(Duration.ZERO, limits, null, nanoTime);
  }

  /** What is stored. */
  public InMemoryStore contents() {
    return store;
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    LockSupport.parkNanos(halfTripNanos);
    Met met = meet(call);
    LockSupport.parkNanos(halfTripNanos);
    met.leave(call);
    return met.reply();
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    CompletableFuture<StoreReply> answer = new CompletableFuture<>();
    afterHalfTrip(() -> arriveAsync(call, answer));
    return answer;
  }

  private void arriveAsync(StoreCall call, CompletableFuture<StoreReply> answer) {
    Met met;
    try {
      met = meet(call);
    } catch (RuntimeException e) {
      answer.completeExceptionally(e); // a mistake of the caller, who must hear of it
      return;
    }
    afterHalfTrip(
        () -> {
          met.leave(call);
          answer.complete(met.reply());
        });
  }

  private void afterHalfTrip(Runnable task) {
    ScheduledFuture<?> unused = network.schedule(task, halfTripNanos, TimeUnit.NANOSECONDS);
  }

  /**
   * A hook in the middle of the round trip of a call.
   *
   * @param kept who keeps what it writes until the answer is out, null for nobody
   */
  private record Met(StoreReply reply, @Nullable Conflicts kept) {
    void leave(StoreCall call) {
      if (kept != null) {
        kept.leave(call);
      }
    }
  }

  private Met meet(StoreCall call) {
    if (conflicts != null && !conflicts.enter(call)) {
      return new Met(notApplied(StoreFailure.Kind.CONFLICT), null);
    }
    Met met = new Met(notApplied(StoreFailure.Kind.HOT_KEY), null);
    try {
      if (take(PartitionUse.of(call), nanoTime.getAsLong())) {
        met = new Met(store.execute(call, Long.MAX_VALUE), conflicts);
      }
      return met;
    } finally {
      if (conflicts != null && met.kept() == null) {
        conflicts.leave(call);
      }
    }
  }

  /** Takes what a call needs of every partition, or nothing. */
  private boolean take(Map<String, Units> needs, long nowNanos) {
    List<Runnable> undo = new ArrayList<>(needs.size());
    for (Map.Entry<String, Units> need : needs.entrySet()) {
      PartitionThroughput partition =
          partitions.computeIfAbsent(
              need.getKey(), key -> new PartitionThroughput(limits, nowNanos));
      if (!partition.take(need.getValue(), nowNanos)) {
        undo.forEach(Runnable::run);
        return false;
      }
      undo.add(() -> partition.giveBack(need.getValue()));
    }
    return true;
  }

  private static StoreReply notApplied(StoreFailure.Kind kind) {
    return new StoreReply.NotApplied(new StoreFailure(kind, null), Receipt.NONE);
  }

  @Override
  public void close() {
    network.shutdownNow();
  }
}
