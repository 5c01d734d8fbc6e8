package dev.millrace.core.bucket;

/**
 * How a bucket is divided into shards, as one of them knows it.
 *
 * <p>Shards form a binary tree: shard {@code j} is split off the shard that is left when the
 * highest bit of {@code j} is taken away. A shard of level {@code l} holds the rest {@code j} of
 * {@code l} ({@link Share}); when it splits, its level doubles and shard {@code j + l} takes the
 * other half. So a shard's level tells which shards were split off it, and the shards that exist
 * hold the whole limit between them at every moment, however far each of them has split.
 *
 * @param count how many shards there should be: the word of shard 0 counts, that of another shard
 *     is what it was told when it was last split or merged
 * @param level at which the shard's own share is sized. Behind the count, the shard is due to
 *     split; ahead of it, to merge
 */
public record Division(int count, int level) {
  /** Not divided. */
  public static final Division NONE = new Division(1, 1);

  /** Checks the ranges. */
  public Division {
    requirePower("shard count", count);
    requirePower("level", level);
  }

  /** A division. */
  public static Division of(int count, int level) {
    return count == 1 && level == 1 ? NONE : new Division(count, level);
  }

  /** Whether the shard is the whole bucket. */
  public boolean isWhole() {
    return level == 1;
  }

  /** The same shard, told that there should be {@code newCount} shards. */
  public Division withCount(int newCount) {
    return newCount == count ? this : of(newCount, level);
  }

  /** The same shard at another level. */
  public Division withLevel(int newLevel) {
    return of(count, newLevel);
  }

  static void requirePower(String what, int number) {
    if (number < 1 || number > BucketKey.MAX_SHARDS || Integer.bitCount(number) != 1) {
      throw new IllegalArgumentException(
          what + " " + number + " must be a power of two from 1 to " + BucketKey.MAX_SHARDS);
    }
  }
}
