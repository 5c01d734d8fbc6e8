package dev.millrace.admin;

import java.util.List;

/**
 * One shard of a bucket.
 *
 * @param shard its number
 * @param level into how many shards the bucket is divided as far as this one knows
 * @param limits its part of each limit, by name
 */
public record ShardView(int shard, int level, List<Part> limits) {
  /** Keeps the limits as they are now. */
  public ShardView {
    limits = List.copyOf(limits);
  }

  /**
   * A shard's part of one limit.
   *
   * @param ceilingMilli the most that it can hold
   * @param availableMilli what it holds now, below zero in debt
   * @param consumedMilli what was consumed here, less what was given back
   */
  public record Part(String limit, long ceilingMilli, long availableMilli, long consumedMilli) {}
}
