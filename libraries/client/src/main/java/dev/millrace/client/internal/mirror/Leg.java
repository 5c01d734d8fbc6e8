package dev.millrace.client.internal.mirror;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.core.internal.protocol.BucketSnapshot;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.EffectiveLimits;
import org.jspecify.annotations.Nullable;

/**
 * One bucket that a request draws on.
 *
 * @param terms what holds for the bucket, as far as this process knows
 * @param mayCreate whether the terms were looked up for this very request: only then may a bucket
 *     be made with them, because nobody would tell a new bucket that its terms are out of date
 */
public record Leg(
    MirroredBucket bucket, EffectiveLimits terms, Amounts amounts, boolean mayCreate) {
  /** The same, drawn on another shard. */
  public Leg on(MirroredBucket shard) {
    return shard == bucket ? this : new Leg(shard, terms, amounts, mayCreate);
  }

  /** A part of it, taken from another shard. */
  public Leg part(MirroredBucket shard, Amounts taken) {
    return new Leg(shard, terms, taken, mayCreate);
  }

  /**
   * What the bucket was last seen to follow, if that is newer than these terms; else null.
   *
   * <p>A request that consumes without a claim is admitted by a bucket that follows newer limits:
   * the write asks for tokens, not for versions. But its answer tells, and the limits or the
   * parents may be others by now.
   */
  public @Nullable ConfigStamp newerStamp() {
    BucketSnapshot snapshot = bucket.snapshot();
    ConfigStamp stamp = snapshot == null ? null : snapshot.state().stamp();
    return stamp == null || terms.stamp().isAtLeast(stamp) ? null : stamp;
  }

  public BucketKey key() {
    return bucket.key();
  }
}
