package dev.millrace.regions.sync;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.limit.SaturatedMath;
import java.util.List;

/** Divides tokens that come to a bucket, or go, over its shards. */
final class Gifts {
  private Gifts() {}

  /** What a shard holds of a limit now, at the rate that it has. */
  static long balanceMilli(BucketState shard, String limit, long nowMs) {
    LimitState state = shard.find(limit);
    return state == null
        ? 0
        : state.balanceMilli(
            shard.share(), shard.refilledAtMs(), Math.max(nowMs, shard.refilledAtMs()));
  }

  /**
   * The part of each shard. What comes is divided as the limit is; what goes is taken from each in
   * proportion to what it holds, and what is left over from those that have it.
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
    parts[0] -= left; // a debt of what nobody has: what a change of share costs
    return parts;
  }
}
