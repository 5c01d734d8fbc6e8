package dev.millrace.regions;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The consumption of buckets at the last window, from which the consumption in one window follows.
 * It is only a sign of demand: a bucket that was forgotten, or never seen, counts as consuming
 * nothing for a window.
 */
final class ConsumptionMemory {
  /** Most pairs that are remembered. */
  static final int MAX_PAIRS = 1_000_000;

  private final Map<SharedPair, Observation> observations =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SharedPair, Observation> eldest) {
          return size() > MAX_PAIRS;
        }
      };

  /**
   * @param ops the last write of each shard
   * @param refused the number of windows in which requests were refused
   */
  private record Observation(
      Map<String, Long> consumedMilli, List<String> ops, long refused, long atMs) {}

  /**
   * The events since the last window.
   *
   * @param consumedMilli by limit
   * @param elapsedMs the time since then
   * @param askedInVain whether the bucket was written and yet nothing was consumed: a request was
   *     refused, and left a mark
   * @param refused the number of such windows, this one included
   */
  record Since(Map<String, Long> consumedMilli, long elapsedMs, boolean askedInVain, long refused) {
    long consumedMilli(String limit) {
      return consumedMilli.getOrDefault(limit, 0L);
    }
  }

  /**
   * The events since a pair was last examined.
   *
   * @param quietUntilMs a pair that was last examined before then was not written before then; 0
   *     when that is unknown
   */
  Since since(SharedPair pair, List<BucketState> shards, long quietUntilMs, long nowMs) {
    Observation last = observations.get(pair);
    if (last == null) {
      return new Since(Map.of(), 0, /* askedInVain= */ false, 0);
    }
    Map<String, Long> consumed = consumedMilli(shards);
    boolean askedInVain = consumed.equals(last.consumedMilli) && !ops(shards).equals(last.ops);
    consumed.replaceAll(
        (limit, milli) -> Math.max(0, milli - last.consumedMilli.getOrDefault(limit, 0L)));
    return new Since(
        consumed,
        Math.max(0, nowMs - Math.max(last.atMs, quietUntilMs)),
        askedInVain,
        last.refused + (askedInVain ? 1 : 0));
  }

  void remember(SharedPair pair, List<BucketState> shards, long refused, long nowMs) {
    observations.put(pair, new Observation(consumedMilli(shards), ops(shards), refused, nowMs));
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
