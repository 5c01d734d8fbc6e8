package dev.millrace.aggregator.internal;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.usage.SequenceNumber;
import dev.millrace.core.usage.UsageSource;
import java.util.Map;

/**
 * Up to which record each bucket shard is done in all windows, as far as this process knows: what
 * comes again need not be written to be found out. Bounded; who is forgotten costs a refused write.
 * Safe for use by many threads.
 */
final class DoneShards {
  private final Map<Source, SequenceNumber> done;

  /** A bucket shard as one stream sees it. */
  private record Source(BucketKey key, UsageSource source) {
    static Source of(Reading.Bucket bucket) {
      return new Source(bucket.key(), bucket.source());
    }
  }

  DoneShards(int max) {
    done = new Recent<>(max);
  }

  /** Whether everything that follows from {@code bucket} is stored already. */
  synchronized boolean isDone(Reading.Bucket bucket) {
    SequenceNumber last = done.get(Source.of(bucket));
    return last != null && !bucket.number().isAfter(last);
  }

  /** Everything that follows from {@code bucket} is stored now. */
  synchronized void add(Reading.Bucket bucket) {
    done.merge(
        Source.of(bucket), bucket.number(), (last, number) -> number.isAfter(last) ? number : last);
  }
}
