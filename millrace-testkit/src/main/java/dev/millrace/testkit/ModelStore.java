package dev.millrace.testkit;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.store.AsyncStore;
import dev.millrace.core.store.BlockingStore;
import dev.millrace.core.store.Receipt;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * DynamoDB at a scale that DynamoDB Local does not reach: the in-memory store behind a round trip,
 * with DynamoDB's own limits for each partition. Calls take effect in the middle of their round
 * trip, so that two of them under way at once meet in the order in which they were sent.
 */
public final class ModelStore implements BlockingStore, AsyncStore, AutoCloseable {
  private final InMemoryStore store = new InMemoryStore();
  private final long halfTripNanos;
  private final PartitionLimits limits;
  private final ConcurrentHashMap<BucketKey, PartitionThroughput> partitions =
      new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor network;

  private ModelStore(Duration roundTrip, PartitionLimits limits) {
    this.halfTripNanos = roundTrip.toNanos() / 2;
    this.limits = limits;
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
    return new ModelStore(roundTrip, limits);
  }

  /** What is stored. */
  public InMemoryStore contents() {
    return store;
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    LockSupport.parkNanos(halfTripNanos);
    StoreReply reply = arrive(call);
    LockSupport.parkNanos(halfTripNanos);
    return reply;
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    CompletableFuture<StoreReply> answer = new CompletableFuture<>();
    afterHalfTrip(
        () -> {
          StoreReply reply = arrive(call);
          afterHalfTrip(() -> answer.complete(reply));
        });
    return answer;
  }

  private void afterHalfTrip(Runnable task) {
    ScheduledFuture<?> unused = network.schedule(task, halfTripNanos, TimeUnit.NANOSECONDS);
  }

  private StoreReply arrive(StoreCall call) {
    PartitionThroughput partition =
        partitions.computeIfAbsent(
            call instanceof StoreCall.Write write ? write.key() : ((StoreCall.Read) call).key(),
            key -> new PartitionThroughput(limits, System.nanoTime()));
    boolean admitted =
        call instanceof StoreCall.Read
            ? partition.takeRead(System.nanoTime())
            : partition.takeWrite(System.nanoTime());
    return admitted
        ? store.execute(call, Long.MAX_VALUE)
        : new StoreReply.NotApplied(
            new StoreFailure(StoreFailure.Kind.THROTTLED, null), Receipt.NONE);
  }

  @Override
  public void close() {
    network.shutdownNow();
  }
}
