package dev.millrace;

import java.time.Duration;

/**
 * How far buckets are divided, and when. The store gives one key about a thousand write units a
 * second; a bucket that is written harder is divided into twice as many shards, each with a key of
 * its own, and folded back when it is quiet again. Users see one bucket all the time.
 *
 * @param maxShards most shards of a bucket, a power of two; 1 to never divide
 * @param growPause least time between two doublings: it takes so long to see what the last one did
 * @param mergeAfter how long a bucket must have been quiet before the number is halved
 * @param wideShards most shards that one request is taken from, when no single one holds enough
 * @param widePerSecond most requests a second of this process and one bucket that are taken from
 *     several shards: each costs a read and two writes of every shard; 0 for none
 */
public record Sharding(
    int maxShards, Duration growPause, Duration mergeAfter, int wideShards, int widePerSecond) {
  /** Most shards there can be: what one transaction of an operator can write. */
  public static final int MAX_SHARDS = 64;

  /** Up to 64 shards, a second, five minutes, 64 shards and 100 a second. */
  public static final Sharding DEFAULT =
      new Sharding(MAX_SHARDS, Duration.ofSeconds(1), Duration.ofMinutes(5), MAX_SHARDS, 100);

  private static final int MAX_WIDE_PER_SECOND = 100_000;

  /** Checks every range. */
  public Sharding {
    if (maxShards < 1 || maxShards > MAX_SHARDS || Integer.bitCount(maxShards) != 1) {
      throw new IllegalArgumentException(
          "maxShards " + maxShards + " must be a power of two from 1 to " + MAX_SHARDS);
    }
    requirePositive("growPause", growPause);
    requirePositive("mergeAfter", mergeAfter);
    if (wideShards < 1 || wideShards > MAX_SHARDS) {
      throw new IllegalArgumentException(
          "wideShards " + wideShards + " must be from 1 to " + MAX_SHARDS);
    }
    if (widePerSecond < 0 || widePerSecond > MAX_WIDE_PER_SECOND) {
      throw new IllegalArgumentException(
          "widePerSecond " + widePerSecond + " must be from 0 to " + MAX_WIDE_PER_SECOND);
    }
  }

  private static void requirePositive(String field, Duration value) {
    if (value.toMillis() < 1 || value.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(
          field + " " + value + " must be from PT0.001S to " + Duration.ofDays(1));
    }
  }

  /** The same with another most. */
  public Sharding withMaxShards(int value) {
    return new Sharding(value, growPause, mergeAfter, wideShards, widePerSecond);
  }

  /** The same with other times to grow and to merge. */
  public Sharding withTimes(Duration pause, Duration merge) {
    return new Sharding(maxShards, pause, merge, wideShards, widePerSecond);
  }

  /** The same with other bounds for requests that are taken from several shards. */
  public Sharding withWide(int shards, int perSecond) {
    return new Sharding(maxShards, growPause, mergeAfter, shards, perSecond);
  }
}
