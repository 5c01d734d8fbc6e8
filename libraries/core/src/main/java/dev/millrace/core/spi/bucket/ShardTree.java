package dev.millrace.core.spi.bucket;

import dev.millrace.core.spi.bucket.BucketState.Division;
import java.util.ArrayList;
import java.util.List;

/** Which shard was split off which: see {@link Division}. */
public final class ShardTree {
  private ShardTree() {}

  /**
   * The shards from which {@code shard} descends, from shard 0 down to itself. Whatever has split
   * so far, one of them holds what {@code shard} would hold.
   */
  public static List<Integer> path(int shard) {
    List<Integer> path = new ArrayList<>(Integer.bitCount(shard) + 1);
    int at = 0;
    path.add(at);
    for (int rest = shard; rest != 0; rest -= Integer.lowestOneBit(rest)) {
      at += Integer.lowestOneBit(rest);
      path.add(at);
    }
    return path;
  }

  /**
   * The shard on the path of {@code shard} that holds what that would hold.
   *
   * @param levels the level of a shard that is known to exist, 0 for one that is not known
   */
  public static int holder(int shard, Levels levels) {
    int holder = 0;
    for (int next : path(shard)) {
      if (next != 0 && (levels.of(holder) <= next - holder || levels.of(next) == 0)) {
        return holder;
      }
      holder = next;
    }
    return holder;
  }

  /** The levels of shards. */
  @FunctionalInterface
  public interface Levels {
    /** The level of {@code shard}, 0 when it is not known to exist. */
    int of(int shard);
  }
}
