package dev.millrace.server.observability;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The space-saving sketch: the buckets with the largest amounts among more than can be counted. It
 * counts a fixed number of buckets; a new one replaces the smallest and starts with its amount. No
 * large bucket is missed, and an amount is too large by at most that of the smallest.
 *
 * <p>There are two sketches, of this minute and of the last one, so that old amounts are forgotten.
 */
final class LargestBuckets {
  static final int COUNTED = 256;

  private static final long PERIOD_MS = 60_000;

  record Key(String namespace, String entity, String resource) {}

  private Map<Key, Long> current = new HashMap<>();
  private Map<Key, Long> before = Map.of();
  private long period;

  synchronized void add(Key key, long amount, long nowMs) {
    startPeriod(nowMs);
    if (current.containsKey(key) || current.size() < COUNTED) {
      current.merge(key, amount, Long::sum);
      return;
    }
    Map.Entry<Key, Long> least = Collections.min(current.entrySet(), Map.Entry.comparingByValue());
    current.remove(least.getKey());
    current.put(key, least.getValue() + amount);
  }

  private void startPeriod(long nowMs) {
    long now = nowMs / PERIOD_MS;
    if (now != period) {
      before = now == period + 1 ? current : Map.of();
      current = new HashMap<>();
      period = now;
    }
  }

  /** The {@code most} largest of this minute and the last one. */
  synchronized List<LiveSnapshot.Top> top(int most, long nowMs) {
    startPeriod(nowMs);
    Map<Key, Long> sums = new HashMap<>(before);
    current.forEach((key, amount) -> sums.merge(key, amount, Long::sum));
    return sums.entrySet().stream()
        .sorted(
            Map.Entry.<Key, Long>comparingByValue()
                .reversed()
                .thenComparing(entry -> entry.getKey().toString()))
        .limit(most)
        .map(
            entry -> {
              Key key = entry.getKey();
              return new LiveSnapshot.Top(
                  key.namespace(), key.entity(), key.resource(), entry.getValue());
            })
        .toList();
  }
}
