package dev.millrace.regions;

import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.util.List;

/** The division of tokens that a bucket gets or gives over its shards. */
final class TokenDivision {
  private TokenDivision() {}

  /** The balance of a shard now, at its current rate. */
  static long balanceMilli(BucketState shard, String limit, long nowMs) {
    LimitState state = shard.find(limit);
    return state == null
        ? 0
        : state.balanceMilli(
            shard.share(), shard.refilledAtMs(), Math.max(nowMs, shard.refilledAtMs()));
  }

  /**
   * The part of each shard. Received tokens are divided as the limit is; given tokens are taken
   * from each in proportion to its balance, and the remainder from those that have it.
   */
  static long[] divide(long milli, List<BucketState> shards, String limit, long nowMs) {
    long[] parts = new long[shards.size()];
    if (milli >= 0) {
      for (int i = 0; i < parts.length; i++) {
        parts[i] = shards.get(i).share().partOf(milli);
      }
      return parts;
    }
    long[] held = new long[parts.length];
    long sum = 0;
    for (int i = 0; i < parts.length; i++) {
      held[i] = Math.max(0, balanceMilli(shards.get(i), limit, nowMs));
      sum = SaturatedMath.add(sum, held[i]);
    }
    long left = SaturatedMath.subtract(0, milli);
    long going = Math.min(left, sum);
    for (int i = 0; i < parts.length && sum > 0; i++) {
      long part = (long) ((double) held[i] / sum * going);
      parts[i] = -Math.min(Math.min(part, held[i]), left);
      left += parts[i];
    }
    for (int i = 0; i < parts.length && left > 0; i++) {
      long more = Math.min(left, Math.max(0, held[i] + parts[i]));
      parts[i] -= more;
      left -= more;
    }
    parts[0] -= left; // a debt that no shard can cover: the cost of a change of share
    return parts;
  }
}
