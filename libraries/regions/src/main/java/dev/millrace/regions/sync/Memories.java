package dev.millrace.regions.sync;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What buckets had consumed in the last window, to know what they consume in one. It is only a sign
 * of demand: one that was forgotten, or never seen, is taken to consume nothing for a window.
 */
final class Memories {
  /** Most pairs that are remembered. */
  static final int MAX_PAIRS = 1_000_000;

  private final Map<Pair, Memory> memories =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Pair, Memory> eldest) {
          return size() > MAX_PAIRS;
        }
      };

  /**
   * @param ops the last write of each shard
   * @param refused in how many windows somebody asked in vain
   */
  private record Memory(
      Map<String, Long> consumedMilli, List<String> ops, long refused, long atMs) {}

  /**
   * What happened since then.
   *
   * @param consumedMilli by limit
   * @param elapsedMs how long ago that is
   * @param askedInVain whether the bucket was written and yet nothing was consumed: somebody was
   *     refused, and wanted it to be known
   * @param refused in how many windows that was so, this one included
   */
  record Since(Map<String, Long> consumedMilli, long elapsedMs, boolean askedInVain, long refused) {
    long consumedMilli(String limit) {
      return consumedMilli.getOrDefault(limit, 0L);
    }
  }

  /**
   * What happened since a pair was last looked at.
   *
   * @param quietUntilMs a pair that was last looked at before then was not written before then; 0
   *     when that is not known
   */
  Since since(Pair pair, List<BucketState> shards, long quietUntilMs, long nowMs) {
    Memory memory = memories.get(pair);
    if (memory == null) {
      return new Since(Map.of(), 0, /* askedInVain= */ false, 0);
    }
    Map<String, Long> consumed = consumedMilli(shards);
    boolean askedInVain = consumed.equals(memory.consumedMilli) && !ops(shards).equals(memory.ops);
    consumed.replaceAll(
        (limit, milli) -> Math.max(0, milli - memory.consumedMilli.getOrDefault(limit, 0L)));
    return new Since(
        consumed,
        Math.max(0, nowMs - Math.max(memory.atMs, quietUntilMs)),
        askedInVain,
        memory.refused + (askedInVain ? 1 : 0));
  }

  void remember(Pair pair, List<BucketState> shards, long refused, long nowMs) {
    memories.put(pair, new Memory(consumedMilli(shards), ops(shards), refused, nowMs));
  }

  private static Map<String, Long> consumedMilli(List<BucketState> shards) {
    Map<String, Long> consumed = new HashMap<>();
    for (BucketState shard : shards) {
      for (LimitState limit : shard.limits()) {
        consumed.merge(limit.name(), limit.consumedMilli(), Long::sum);
      }
    }
    return consumed;
  }

  private static List<String> ops(List<BucketState> shards) {
    return shards.stream().map(BucketState::op).toList();
  }
}
