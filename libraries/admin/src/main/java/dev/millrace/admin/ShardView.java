package dev.millrace.admin;

import java.util.List;

/**
 * One shard of a bucket.
 *
 * @param shard its number
 * @param level the number of shards of the bucket as this shard knows it
 * @param limits its part of each limit, by name
 */
public record ShardView(int shard, int level, List<Part> limits) {
  public ShardView {
    limits = List.copyOf(limits);
  }

  /**
   * A shard's part of one limit.
   *
   * @param ceilingMilli the most that it can hold
   * @param availableMilli its balance now, below zero in debt
   * @param consumedMilli the consumption here, less refunds
   */
  public record Part(String limit, long ceilingMilli, long availableMilli, long consumedMilli) {}
}
