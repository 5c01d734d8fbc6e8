package dev.millrace.aggregator.internal;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageSource;
import java.util.Map;

/**
 * A cache of the last record of each bucket shard that is done in all windows, as far as this
 * process knows: repeated records need no write to be recognised. Bounded; a forgotten shard costs
 * a refused write. Thread-safe.
 */
final class DoneShards {
  private final Map<Source, SequenceNumber> done;

  /** A bucket shard as one stream sees it. */
  private record Source(BucketKey key, UsageSource source) {
    static Source of(RecordContent.Bucket bucket) {
      return new Source(bucket.key(), bucket.source());
    }
  }

  DoneShards(int max) {
    done = new LruMap<>(max);
  }

  /** Whether everything that follows from {@code bucket} is stored already. */
  synchronized boolean isDone(RecordContent.Bucket bucket) {
    SequenceNumber last = done.get(Source.of(bucket));
    return last != null && !bucket.number().isAfter(last);
  }

  /** Records that everything that follows from {@code bucket} is stored. */
  synchronized void add(RecordContent.Bucket bucket) {
    done.merge(
        Source.of(bucket), bucket.number(), (last, number) -> number.isAfter(last) ? number : last);
  }
}
