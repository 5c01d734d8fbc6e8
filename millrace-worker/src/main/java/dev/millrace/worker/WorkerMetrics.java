package dev.millrace.worker;

import dev.millrace.aggregator.AggregatorListener;
import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.DeadLetter;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.usage.UsageWrite;
import dev.millrace.worker.kcl.StreamListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counts what a worker did since it was started, and how far it is behind. */
public final class WorkerMetrics implements AggregatorListener, StreamListener {
  private final LongSupplier clockMs;
  private final Map<String, Reading> shards = new ConcurrentHashMap<>();
  private final AtomicBoolean givenUp = new AtomicBoolean();
  private final LongAdder batches = new LongAdder();
  private final LongAdder records = new LongAdder();
  private final LongAdder applied = new LongAdder();
  private final LongAdder duplicates = new LongAdder();
  private final LongAdder ignored = new LongAdder();
  private final LongAdder poison = new LongAdder();
  private final LongAdder archived = new LongAdder();
  private final LongAdder resized = new LongAdder();
  private final LongAdder resizeFailures = new LongAdder();
  private final LongAdder usageWrites = new LongAdder();
  private final LongAdder usageRefused = new LongAdder();
  private final LongAdder writeFailures = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private volatile int lastBatch;

  /** By a clock in epoch milliseconds. */
  public WorkerMetrics(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /** How far behind a shard was when it was last read, and when that was. */
  private record Reading(long lagMs, long atMs) {}

  /**
   * The counts at one moment.
   *
   * @param shards shards that this worker reads now
   * @param lagMs how far behind it is on the worst of them; by the stream's own times
   * @param batches batches that brought something
   * @param lastBatch records of the last of them
   * @param records records in all, those that came again included
   * @param applied records that added to usage
   * @param duplicates records that had been applied before
   * @param ignored records of no interest
   * @param poison records that went to the dead letters
   * @param archived audit events archived
   * @param resized times that a bucket was told to have more or fewer shards
   * @param resizeFailures times that this failed
   * @param usageWrites items of usage written
   * @param usageRefused writes refused because some of it had been written before
   * @param writeFailures writes that failed and were tried again
   * @param retries batches that were tried again
   */
  public record Snapshot(
      int shards,
      long lagMs,
      long batches,
      int lastBatch,
      long records,
      long applied,
      long duplicates,
      long ignored,
      long poison,
      long archived,
      long resized,
      long resizeFailures,
      long usageWrites,
      long usageRefused,
      long writeFailures,
      long retries) {}

  /** The counts now. */
  public Snapshot snapshot() {
    return new Snapshot(
        shards.size(),
        lagMs(),
        batches.sum(),
        lastBatch,
        records.sum(),
        applied.sum(),
        duplicates.sum(),
        ignored.sum(),
        poison.sum(),
        archived.sum(),
        resized.sum(),
        resizeFailures.sum(),
        usageWrites.sum(),
        usageRefused.sum(),
        writeFailures.sum(),
        retries.sum());
  }

  /** Whether a batch failed so often that the worker must end. */
  public boolean hasGivenUp() {
    return givenUp.get();
  }

  /** A shard that is not read falls behind as time goes by. */
  private long lagMs() {
    long now = clockMs.getAsLong();
    return shards.values().stream()
        .mapToLong(shard -> shard.lagMs() + Math.max(0, now - shard.atMs()))
        .max()
        .orElse(0);
  }

  @Override
  public void onShardTaken(String shard) {
    shards.put(shard, new Reading(0, clockMs.getAsLong()));
  }

  @Override
  public void onShardLeft(String shard) {
    shards.remove(shard);
  }

  @Override
  public void onRead(String shard, int read, long lastCreatedAtMs) {
    long now = clockMs.getAsLong();
    long lag = read == 0 ? 0 : Math.max(0, now - lastCreatedAtMs);
    shards.computeIfPresent(shard, (name, before) -> new Reading(lag, now));
  }

  @Override
  public void onRetry(String shard, int attempt, Throwable failure) {
    retries.increment();
  }

  @Override
  public void onGivenUp(String shard, Throwable failure) {
    givenUp.set(true);
  }

  @Override
  public void onBatch(BatchResult result, long lagMs) {
    if (result.records() == 0) {
      return;
    }
    batches.increment();
    lastBatch = result.records();
    records.add(result.records());
    applied.add(result.applied());
    duplicates.add(result.duplicates());
    ignored.add(result.ignored());
    poison.add(result.poison());
    archived.add(result.archived());
  }

  @Override
  public void onWritten(UsageWrite write) {
    usageWrites.increment();
  }

  @Override
  public void onRefused(UsageWrite write) {
    usageRefused.increment();
  }

  @Override
  public void onWriteFailed(UsageWrite write, StoreFailure failure) {
    writeFailures.increment();
  }

  @Override
  public void onPoison(DeadLetter letter) {}

  @Override
  public void onResized(BucketKey key, int count) {
    resized.increment();
  }

  @Override
  public void onResizeFailed(BucketKey key, StoreFailure failure) {
    resizeFailures.increment();
  }
}
