package dev.millrace.client.internal.mirror;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.config.Terms;
import dev.millrace.core.request.Amounts;

/**
 * One bucket that a request draws on.
 *
 * @param terms what holds for the bucket, as far as this process knows
 * @param mayCreate whether the terms were looked up for this very request: only then may a bucket
 *     be made with them, because nobody would tell a new bucket that its terms are out of date
 */
public record Leg(MirroredBucket bucket, Terms terms, Amounts amounts, boolean mayCreate) {
  /** The same, drawn on another shard. */
  public Leg on(MirroredBucket shard) {
    return shard == bucket ? this : new Leg(shard, terms, amounts, mayCreate);
  }

  /** A part of it, taken from another shard. */
  public Leg part(MirroredBucket shard, Amounts taken) {
    return new Leg(shard, terms, taken, mayCreate);
  }

  public BucketKey key() {
    return bucket.key();
  }
}
