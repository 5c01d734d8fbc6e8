package dev.millrace.simulator;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.simulator.oracle.Promise;
import dev.millrace.simulator.oracle.TableWrite;
import dev.millrace.simulator.oracle.Violation;
import java.util.HashSet;
import java.util.Set;

/**
 * Checks that a refund goes to the place of its charge: to the shard that was charged, or to the
 * one that took that over. Anywhere else it could lift a balance above its ceiling, and be lost. So
 * the total of a shard is never negative, unless it was merged or forgotten meanwhile with what it
 * was charged (and came anew), or gets back what an ancestor was never charged, because its entity
 * came to belong to it later.
 */
final class Origins {
  private final boolean moves;
  private final Set<BucketKey> renewed = new HashSet<>();

  /**
   * Watches everything.
   *
   * @param moves whether entities move
   */
  Origins(boolean moves) {
    this.moves = moves;
  }

  /** A shard was changed. */
  void wrote(TableWrite write) {
    BucketState before = write.before();
    BucketState after = write.after();
    BucketKey bucket = write.key().withShard(0);
    if (after == null || (before != null && losesLimit(before, after))) {
      renewed.add(bucket);
    }
    if (after == null || moves || after.division().level() == 1 || renewed.contains(bucket)) {
      return;
    }
    for (LimitState limit : after.limits()) {
      if (limit.consumedMilli() < 0) {
        throw new Violation(
            Promise.SHARDING_CONSERVES,
            write.writer() + " gave back to a shard what another was charged: " + after);
      }
    }
  }

  private static boolean losesLimit(BucketState before, BucketState after) {
    for (LimitState limit : before.limits()) {
      if (after.find(limit.name()) == null) {
        return true;
      }
    }
    return false;
  }
}
