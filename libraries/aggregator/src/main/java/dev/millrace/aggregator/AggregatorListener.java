package dev.millrace.aggregator;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.usage.UsageWrite;
import java.util.Collection;

/**
 * A receiver of an aggregator's events, for metrics, logs and tests. Called on the processing
 * thread: it must be quick and not block. An exception that it throws is logged and ignored.
 */
public interface AggregatorListener {
  /**
   * A batch was processed.
   *
   * @param lagMs the age of its last record, by this process's clock; 0 for no record
   */
  default void onBatch(BatchResult result, long lagMs) {}

  /** Buckets were written, according to a batch of the stream; a shard may be reported twice. */
  default void onBuckets(Collection<BucketKey> keys) {}

  /** Usage was written. */
  default void onWritten(UsageWrite write) {}

  /** A write of usage was refused because some of it had been written before. */
  default void onRefused(UsageWrite write) {}

  /** A write of usage failed and may be attempted again. */
  default void onWriteFailed(UsageWrite write, StoreFailure failure) {}

  /** A record was invalid or could not be counted; it is with the dead letters. */
  default void onPoison(DeadLetter letter) {}

  /** This process has set the target number of shards of a bucket to {@code shards}. */
  default void onResized(BucketKey key, int shards) {}

  /** A bucket could not be resized; the next attempt follows when it is under pressure again. */
  default void onResizeFailed(BucketKey key, StoreFailure failure) {}
}
