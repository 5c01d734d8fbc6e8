package dev.millrace.worker;

import dev.millrace.BucketKey;
import dev.millrace.aggregator.AggregatorListener;
import dev.millrace.aggregator.BatchResult;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.worker.kcl.StreamListener;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.NamingConvention;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The meters of a worker: counts since it was started, and its lag. */
public final class WorkerMetrics implements AggregatorListener, StreamListener {
  private static final String PREFIX = "millrace.aggregator.";

  private final MeterRegistry meters;
  private final LongSupplier clockMs;
  private final Map<String, ShardLag> shards = new ConcurrentHashMap<>();
  private volatile boolean givenUp;
  private volatile int lastBatch;

  /**
   * Registers the meters in {@code meters}.
   *
   * @param clockMs a clock in epoch milliseconds
   */
  public WorkerMetrics(MeterRegistry meters, LongSupplier clockMs) {
    this.meters = meters;
    this.clockMs = clockMs;
    meters.gaugeMapSize(PREFIX + "shards", Tags.empty(), shards);
    meters.gauge(PREFIX + "lag.ms", this, WorkerMetrics::lagMs);
    meters.gauge(PREFIX + "last.batch", this, metrics -> metrics.lastBatch);
    for (Count count : Count.values()) {
      add(count, 0);
    }
  }

  /** The counters, in the order in which they are printed. */
  public enum Count {
    /** Batches with a record. */
    BATCHES,
    /** Records in all, those that came again included. */
    RECORDS,
    /** Records that added to usage. */
    APPLIED,
    /** Records that had been applied before. */
    DUPLICATES,
    /** Records of no interest. */
    IGNORED,
    /** Records that went to the dead letters. */
    POISON,
    /** Audit events in the archive. */
    ARCHIVED,
    /** Changes of the number of shards of a bucket. */
    RESIZED,
    /** Such changes that failed. */
    RESIZE_FAILURES,
    /** Items of usage that were written. */
    USAGE_WRITES,
    /** Writes that were refused because a part of them had been written before. */
    USAGE_REFUSED,
    /** Writes that failed and were tried again. */
    WRITE_FAILURES,
    /** Batches that were tried again. */
    RETRIES;

    private final String meter = name().toLowerCase(Locale.ROOT).replace('_', '.');
  }

  /** The lag of a shard when it was last read, and the time of that. */
  private record ShardLag(long lagMs, long atMs) {}

  /** The value of a counter. */
  public long count(Count count) {
    return (long) meters.counter(PREFIX + count.meter).count();
  }

  /** All values by their names in JSON. */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("shards", shards.size());
    fields.put("lagMs", lagMs());
    fields.put("lastBatch", lastBatch);
    for (Count count : Count.values()) {
      fields.put(NamingConvention.camelCase.name(count.meter, Meter.Type.COUNTER), count(count));
    }
    return fields;
  }

  /** Whether a batch failed so often that the worker must end. */
  public boolean hasGivenUp() {
    return givenUp;
  }

  /**
   * The lag of the worker on the worst of its shards, by the stream's own times. A shard that is
   * not read falls behind as time goes by.
   */
  public long lagMs() {
    long now = clockMs.getAsLong();
    return shards.values().stream()
        .mapToLong(shard -> shard.lagMs() + Math.max(0, now - shard.atMs()))
        .max()
        .orElse(0);
  }

  private void add(Count count, int more) {
    meters.counter(PREFIX + count.meter).increment(more);
  }

  @Override
  public void onShardTaken(String shard) {
    shards.put(shard, new ShardLag(0, clockMs.getAsLong()));
  }

  @Override
  public void onShardLeft(String shard) {
    shards.remove(shard);
  }

  @Override
  public void onRead(String shard, int read, long lastCreatedAtMs) {
    long now = clockMs.getAsLong();
    long lag = read == 0 ? 0 : Math.max(0, now - lastCreatedAtMs);
    shards.computeIfPresent(shard, (name, before) -> new ShardLag(lag, now));
  }

  @Override
  public void onRetry(String shard, int attempt, Throwable failure) {
    add(Count.RETRIES, 1);
  }

  @Override
  public void onGivenUp(String shard, Throwable failure) {
    givenUp = true;
  }

  @Override
  public void onBatch(BatchResult result, long lagMs) {
    if (result.records() == 0) {
      return;
    }
    lastBatch = result.records();
    add(Count.BATCHES, 1);
    add(Count.RECORDS, result.records());
    add(Count.APPLIED, result.applied());
    add(Count.DUPLICATES, result.duplicates());
    add(Count.IGNORED, result.ignored());
    add(Count.POISON, result.poison());
    add(Count.ARCHIVED, result.archived());
  }

  @Override
  public void onWritten(UsageWrite write) {
    add(Count.USAGE_WRITES, 1);
  }

  @Override
  public void onRefused(UsageWrite write) {
    add(Count.USAGE_REFUSED, 1);
  }

  @Override
  public void onWriteFailed(UsageWrite write, StoreFailure failure) {
    add(Count.WRITE_FAILURES, 1);
  }

  @Override
  public void onResized(BucketKey key, int count) {
    add(Count.RESIZED, 1);
  }

  @Override
  public void onResizeFailed(BucketKey key, StoreFailure failure) {
    add(Count.RESIZE_FAILURES, 1);
  }
}
