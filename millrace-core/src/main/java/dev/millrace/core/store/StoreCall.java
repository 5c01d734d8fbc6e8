package dev.millrace.core.store;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.plan.WritePlan;

/** What a store is asked: one round trip each. */
public sealed interface StoreCall {
  /** Which bucket. */
  BucketKey key();

  /** Reads a bucket, strongly consistent. */
  record Read(BucketKey key) implements StoreCall {}

  /** Writes a bucket as planned. */
  record Write(WritePlan plan) implements StoreCall {
    @Override
    public BucketKey key() {
      return plan.key();
    }
  }
}
