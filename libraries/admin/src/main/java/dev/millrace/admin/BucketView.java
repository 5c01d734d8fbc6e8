package dev.millrace.admin;

import dev.millrace.core.config.ConfigStamp;
import dev.millrace.core.limit.Limit;
import java.util.List;

/**
 * A bucket, all its shards together.
 *
 * @param entityId whose
 * @param resource of what
 * @param shards how many shards there are
 * @param targetShards how many there should be: shards split and merge as they are drawn on
 * @param stamp where its limits come from, and whether it is switched on, as its first shard says
 * @param limits each limit
 */
public record BucketView(
    String entityId,
    String resource,
    int shards,
    int targetShards,
    ConfigStamp stamp,
    List<Balance> limits) {
  /** Keeps the limits as they are now. */
  public BucketView {
    limits = List.copyOf(limits);
  }

  /**
   * One limit of a bucket.
   *
   * @param limit the whole limit, of which each shard has its part
   * @param availableMilli what all shards together hold now, below zero in debt
   * @param consumedMilli everything that was ever consumed, less what was given back
   */
  public record Balance(Limit limit, long availableMilli, long consumedMilli) {
    /** What is used of the capacity, never less than nothing. */
    public long usedMilli() {
      return Math.max(0, limit.capacityMilli() - availableMilli);
    }

    /** Whole tokens available, rounded down: never more than there are. */
    public long available() {
      return Math.floorDiv(availableMilli, Limit.MILLI);
    }
  }
}
