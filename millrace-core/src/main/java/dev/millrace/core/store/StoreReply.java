package dev.millrace.core.store;

import dev.millrace.core.bucket.BucketState;
import org.jspecify.annotations.Nullable;

/** What a store answers. A refused condition is an answer, not an exception. */
public sealed interface StoreReply {
  /** What the call cost and what the store's clock said. */
  Receipt receipt();

  /**
   * The answer to a read.
   *
   * @param state the bucket, null when there is none
   */
  record Found(@Nullable BucketState state, Receipt receipt) implements StoreReply {}

  /**
   * The write was made.
   *
   * @param state the bucket after it
   */
  record Applied(BucketState state, Receipt receipt) implements StoreReply {}

  /**
   * The write's condition did not hold; nothing was changed.
   *
   * @param state the bucket that refused, null when there is none
   */
  record Refused(@Nullable BucketState state, Receipt receipt) implements StoreReply {}

  /** The call surely had no effect: throttled, refused, or never sent. */
  record NotApplied(StoreFailure failure, Receipt receipt) implements StoreReply {}

  /** The answer was lost: a write may have been made or not, and may yet be. */
  record Unknown(StoreFailure failure, Receipt receipt) implements StoreReply {}
}
