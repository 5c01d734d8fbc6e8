package dev.millrace.aggregator.internal;

import dev.millrace.BucketKey;
import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.core.spi.usage.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The processing of batches. Everything is read before anything is written. Usage goes first; only
 * the records before the first one that failed go to the archive and to the dead letters, because
 * the others are delivered again.
 */
public final class StreamProcessor {
  /** The number of bucket shards for which the last applied record is cached. */
  private static final int REMEMBERED_SHARDS = 100_000;

  private final Map<Window, Duration> retention;
  private final UsageStore store;
  private final UsageApplier applier;
  private final Consumer<List<DeadLetter>> deadLetters;
  private final @Nullable Consumer<List<AuditEvent>> archive;
  private final @Nullable BucketGrowth growth;
  private final DoneShards done;
  private final AggregatorListeners listeners;

  /** A processor that writes to {@code store}. */
  public StreamProcessor(
      Map<Window, Duration> retention,
      UsageStore store,
      @Nullable Executor executor,
      Consumer<List<DeadLetter>> deadLetters,
      @Nullable Consumer<List<AuditEvent>> archive,
      @Nullable BucketGrowth growth,
      AggregatorListeners listeners) {
    this.retention = Map.copyOf(retention);
    this.store = store;
    this.applier = new UsageApplier(store, executor, listeners);
    this.deadLetters = deadLetters;
    this.archive = archive;
    this.growth = growth;
    this.done = new DoneShards(REMEMBERED_SHARDS);
    this.listeners = listeners;
  }

  /** Processes a batch in the order of the stream. */
  public BatchResult process(List<StreamRecord> records) {
    StreamBatch batch = new StreamBatch(records, archive != null);
    List<PendingUsage> pending = pending(batch);
    batch.usageWritten(pending, applier.apply(pending));
    archive(batch);
    putAside(batch);
    batch.doneBuckets().forEach(done::add);
    Set<BucketKey> written = new LinkedHashSet<>();
    batch.freshBuckets().forEach(bucket -> written.add(bucket.key()));
    if (!written.isEmpty()) {
      listeners.publish(listener -> listener.onBuckets(written));
    }
    if (growth != null) {
      growth.observe(batch.freshBuckets());
    }
    return batch.result();
  }

  /** Processes dead letters again. */
  public BatchResult replay(List<DeadLetter> letters) {
    List<StreamRecord> records = letters.stream().map(DeadLetter::record).toList();
    StreamBatch batch = new StreamBatch(records, archive != null);
    new ReplayedUsageWriter(store, kept(), listeners).write(batch, letters);
    archive(batch);
    putAside(batch);
    return batch.result();
  }

  private List<PendingUsage> pending(StreamBatch batch) {
    Map<Target, PendingUsage> byTarget = new LinkedHashMap<>();
    List<UsageWindow> kept = kept();
    for (int i = 0; i < batch.size(); i++) {
      if (!(batch.reading(i) instanceof RecordContent.Bucket bucket)) {
        continue;
      }
      if (done.isDone(bucket)) {
        batch.known(i);
      } else if (!bucket.consumedMilli().isEmpty()) {
        for (UsageWindow window : kept) {
          UsageKey key = key(bucket, window);
          Target target = new Target(key, bucket.source().stream());
          PendingUsage pending = byTarget.get(target);
          if (pending == null) {
            long expires = window.expiresAtSeconds(key.startMs());
            pending = new PendingUsage(key, bucket.source().stream(), expires);
            byTarget.put(target, pending);
          }
          pending.add(i, bucket);
        }
      }
    }
    return new ArrayList<>(byTarget.values());
  }

  /** A usage item, and the stream whose records are added to it. */
  private record Target(UsageKey key, String stream) {}

  static UsageKey key(RecordContent.Bucket bucket, UsageWindow window) {
    return new UsageKey(
        bucket.key().namespace(),
        bucket.key().entityId(),
        bucket.key().resource(),
        window.window(),
        window.startOf(bucket.atMs()));
  }

  private List<UsageWindow> kept() {
    List<UsageWindow> kept = new ArrayList<>(retention.size());
    retention.forEach((window, duration) -> kept.add(new UsageWindow(window, duration.toMillis())));
    return kept;
  }

  private void archive(StreamBatch batch) {
    if (archive == null || batch.events().isEmpty()) {
      return;
    }
    try {
      archive.accept(batch.events());
    } catch (RuntimeException e) {
      batch.notArchived(e);
    }
  }

  private void putAside(StreamBatch batch) {
    List<DeadLetter> letters = batch.letters();
    if (letters.isEmpty()) {
      return;
    }
    try {
      deadLetters.accept(letters);
    } catch (RuntimeException e) {
      batch.notPutAside(e);
      return;
    }
    letters.forEach(letter -> listeners.publish(listener -> listener.onPoison(letter)));
  }
}
