package dev.millrace.aggregator;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.usage.UsageWrite;
import java.util.Collection;

/**
 * Hears what an aggregator does, for metrics, logs and tests. Called on the thread that processes:
 * be quick, and do not block. What a listener throws is logged and goes no further.
 */
public interface AggregatorListener {
  /**
   * A batch was processed.
   *
   * @param lagMs how long ago its last record was made, by this process's clock; 0 for no record
   */
  default void onBatch(BatchResult result, long lagMs) {}

  /**
   * Buckets were written, as a batch of the stream tells; a shard of a bucket may be told twice.
   */
  default void onBuckets(Collection<BucketKey> keys) {}

  /** Usage was written. */
  default void onWritten(UsageWrite write) {}

  /** A write of usage was refused because some of it had been written before. */
  default void onRefused(UsageWrite write) {}

  /** A write of usage failed and may be tried again. */
  default void onWriteFailed(UsageWrite write, StoreFailure failure) {}

  /** A record could not be understood, or not be counted; it is with the dead letters. */
  default void onPoison(DeadLetter letter) {}

  /** There should be {@code shards} shards of a bucket from now on: this process has said so. */
  default void onResized(BucketKey key, int shards) {}

  /** A bucket could not be resized; it is tried again when it is pressed again. */
  default void onResizeFailed(BucketKey key, StoreFailure failure) {}
}
