package dev.millrace.admin.internal;

import dev.millrace.BucketKey;
import dev.millrace.core.internal.protocol.ShardReadProtocol;
import dev.millrace.core.spi.bucket.BucketState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The shards of buckets. They are read one by one, so during splits and merges a part of a bucket
 * may be seen twice or not at all. But the levels of the shards tell whether they are the whole
 * bucket, and until they are, they are read again.
 */
final class ShardReads {
  /** Most reads of a bucket until it is whole. */
  static final int MAX_READS = 4;

  private ShardReads() {}

  /**
   * All shards of a bucket in the order of their numbers, none when there is no bucket. A part that
   * is missing on every read does not exist: the bucket is being deleted. Then the result is the
   * remaining parts.
   *
   * @param believed the expected number of shards
   */
  static List<BucketState> read(NamespaceScope scope, BucketKey key, int believed) {
    for (int reads = 1; ; reads++) {
      List<BucketState> shards = scope.calls().ask(ShardReadProtocol.start(key, believed)).shards();
      if (shards.isEmpty() || areAll(shards) || reads == MAX_READS) {
        return shards;
      }
      scope.tools().pauses().backOff(reads);
    }
  }

  /** Whether these shards hold every part of their bucket exactly once. */
  static boolean areAll(List<BucketState> shards) {
    int rests = 1;
    for (BucketState shard : shards) {
      rests = Math.max(rests, shard.division().level());
    }
    BitSet held = new BitSet(rests);
    for (BucketState shard : shards) {
      int level = shard.division().level();
      for (int rest = shard.key().shard(); rest < rests; rest += level) {
        if (held.get(rest)) {
          return false;
        }
        held.set(rest);
      }
    }
    return held.cardinality() == rests;
  }

  /**
   * The buckets of a page of an index. A bucket whose first shard is on the page has all its
   * shards, also those that are on other pages or that the index does not show yet. Of any other
   * bucket it has the shards on the page: the others come with its first shard.
   *
   * @param keys each once
   */
  static List<List<BucketState>> ofPage(NamespaceScope scope, List<BucketKey> keys) {
    Map<BucketKey, BucketState> states = scope.calls().readAll(keys);
    Map<BucketKey, List<BucketState>> buckets = new LinkedHashMap<>();
    for (BucketKey key : keys) {
      BucketState state = states.get(key);
      if (state != null) {
        buckets.computeIfAbsent(key.withShard(0), first -> new ArrayList<>()).add(state);
      }
    }
    List<List<BucketState>> complete = new ArrayList<>(buckets.size());
    for (List<BucketState> shards : buckets.values()) {
      shards.sort(Comparator.comparing(shard -> shard.key().shard()));
      BucketState first = shards.get(0);
      boolean enough = first.key().shard() != 0 || areAll(shards);
      complete.add(enough ? shards : read(scope, first.key(), first.division().level()));
    }
    complete.removeIf(List::isEmpty); // gone meanwhile
    return complete;
  }

  /** The buckets whose first shard is among {@code keys}, each with all its shards. */
  static List<List<BucketState>> ofFirst(NamespaceScope scope, List<BucketKey> keys) {
    Set<BucketKey> there = new HashSet<>(keys);
    List<BucketKey> own = keys.stream().filter(key -> there.contains(key.withShard(0))).toList();
    List<List<BucketState>> buckets = ofPage(scope, own);
    buckets.removeIf(shards -> shards.get(0).key().shard() != 0);
    return buckets;
  }
}
