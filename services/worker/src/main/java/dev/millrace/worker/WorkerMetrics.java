package dev.millrace.worker;

import dev.millrace.BucketKey;
import dev.millrace.aggregator.AggregatorListener;
import dev.millrace.aggregator.BatchResult;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.worker.kcl.StreamListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/** The meters of a worker: what it did since it was started, and how far it is behind. */
public final class WorkerMetrics implements AggregatorListener, StreamListener {
  private static final String PREFIX = "millrace.aggregator.";

  private final LongSupplier clockMs;
  private final Map<String, Reading> shards = new ConcurrentHashMap<>();
  private final AtomicBoolean givenUp = new AtomicBoolean();
  private final Map<Count, Counter> counters = new EnumMap<>(Count.class);
  private volatile int lastBatch;

  /**
   * Registers the meters in {@code meters}.
   *
   * @param clockMs a clock in epoch milliseconds
   */
  public WorkerMetrics(MeterRegistry meters, LongSupplier clockMs) {
    this.clockMs = clockMs;
    gauge(meters, "shards", "shards that this worker reads now", WorkerMetrics::shards);
    gauge(meters, "lag.ms", "how far behind it is on the worst of them", WorkerMetrics::lagMs);
    gauge(meters, "last.batch", "records of the last batch", metrics -> metrics.lastBatch);
    for (Count count : Count.values()) {
      counters.put(
          count,
          Counter.builder(PREFIX + count.dotted()).description(count.meaning).register(meters));
    }
  }

  private void gauge(
      MeterRegistry meters, String name, String meaning, ToDoubleFunction<WorkerMetrics> value) {
    Gauge.builder(PREFIX + name, this, value).description(meaning).register(meters);
  }

  /** What is counted, in the order in which it is printed. */
  public enum Count {
    BATCHES("batches that brought something"),
    RECORDS("records in all, those that came again included"),
    APPLIED("records that added to usage"),
    DUPLICATES("records that had been applied before"),
    IGNORED("records of no interest"),
    POISON("records that went to the dead letters"),
    ARCHIVED("audit events archived"),
    RESIZED("times that a bucket was told to have more or fewer shards"),
    RESIZE_FAILURES("times that this failed"),
    USAGE_WRITES("items of usage written"),
    USAGE_REFUSED("writes refused because some of it had been written before"),
    WRITE_FAILURES("writes that failed and were tried again"),
    RETRIES("batches that were tried again");

    private final String meaning;

    Count(String meaning) {
      this.meaning = meaning;
    }

    private String dotted() {
      return name().toLowerCase(Locale.ROOT).replace('_', '.');
    }
  }

  /** How far behind a shard was when it was last read, and when that was. */
  private record Reading(long lagMs, long atMs) {}

  /** How often {@code count} happened. */
  public long count(Count count) {
    return (long) counter(count).count();
  }

  private Counter counter(Count count) {
    return Objects.requireNonNull(counters.get(count));
  }

  /** All of it, by the names that it has in JSON. */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("shards", shards());
    fields.put("lagMs", lagMs());
    fields.put("lastBatch", lastBatch);
    for (Count count : Count.values()) {
      fields.put(camel(count.dotted()), count(count));
    }
    return fields;
  }

  private static String camel(String dotted) {
    int dot = dotted.indexOf('.');
    return dot < 0
        ? dotted
        : dotted.substring(0, dot)
            + Character.toUpperCase(dotted.charAt(dot + 1))
            + dotted.substring(dot + 2);
  }

  /** Whether a batch failed so often that the worker must end. */
  public boolean hasGivenUp() {
    return givenUp.get();
  }

  private int shards() {
    return shards.size();
  }

  /**
   * How far behind the worker is on the worst of its shards, by the stream's own times. A shard
   * that is not read falls behind as time goes by.
   */
  public long lagMs() {
    long now = clockMs.getAsLong();
    return shards.values().stream()
        .mapToLong(shard -> shard.lagMs() + Math.max(0, now - shard.atMs()))
        .max()
        .orElse(0);
  }

  private void add(Count count, int more) {
    counter(count).increment(more);
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
    add(Count.RETRIES, 1);
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
