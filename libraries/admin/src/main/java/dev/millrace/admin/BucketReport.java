package dev.millrace.admin;

import dev.millrace.Limit;
import dev.millrace.core.spi.config.ConfigStamp;
import java.util.List;

/**
 * A bucket, all its shards together.
 *
 * @param entityId the entity
 * @param resource the resource
 * @param shards the number of shards
 * @param targetShards the number of shards that there should be: requests split and merge shards as
 *     they use them
 * @param stamp the versions of the configuration, and whether the bucket is disabled, by its first
 *     shard
 * @param limits each limit
 */
public record BucketReport(
    String entityId,
    String resource,
    int shards,
    int targetShards,
    ConfigStamp stamp,
    List<Balance> limits) {
  public BucketReport {
    limits = List.copyOf(limits);
  }

  /**
   * One limit of a bucket.
   *
   * @param limit the whole limit, of which each shard has its part
   * @param availableMilli the balance of all shards together now, below zero in debt
   * @param consumedMilli all consumption ever, less refunds
   */
  public record Balance(Limit limit, long availableMilli, long consumedMilli) {
    /** The used part of the capacity, never less than zero. */
    public long usedMilli() {
      return Math.max(0, limit.capacityMilli() - availableMilli);
    }

    /** Whole tokens available, rounded down. */
    public long available() {
      return Math.floorDiv(availableMilli, Limit.MILLI);
    }
  }
}
