package dev.millrace.server.observability;

import dev.millrace.server.live.LiveSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who has the most, among more than can be counted: the space-saving sketch. It counts a fixed
 * number of keys; a new one takes the place of the smallest and begins with its amount, so nobody
 * who is large is missed, and an amount is too large by at most that of the smallest.
 *
 * <p>What is long ago must not stay on top, so there are two sketches, of this minute and of the
 * last one.
 */
final class TopTalkers {
  /** How many are counted. */
  static final int COUNTED = 256;

  private static final long PERIOD_MS = 60_000;

  /** Who: never a label, only shown. */
  record Key(String namespace, String entity, String resource) {}

  private Map<Key, Long> current = new HashMap<>();
  private Map<Key, Long> before = Map.of();
  private long period;

  synchronized void add(Key key, long amount, long nowMs) {
    turn(nowMs);
    Long known = current.get(key);
    if (known != null) {
      current.put(key, known + amount);
    } else if (current.size() < COUNTED) {
      current.put(key, amount);
    } else {
      Map.Entry<Key, Long> least = null;
      for (Map.Entry<Key, Long> entry : current.entrySet()) {
        if (least == null || entry.getValue() < least.getValue()) {
          least = entry;
        }
      }
      if (least != null) {
        long taken = least.getValue();
        current.remove(least.getKey());
        current.put(key, taken + amount);
      }
    }
  }

  private void turn(long nowMs) {
    long now = nowMs / PERIOD_MS;
    if (now != period) {
      before = now == period + 1 ? current : Map.of();
      current = new HashMap<>();
      period = now;
    }
  }

  /** The {@code most} largest of this minute and the last one. */
  synchronized List<LiveSnapshot.Top> top(int most, long nowMs) {
    turn(nowMs);
    Map<Key, Long> sums = new HashMap<>(before);
    current.forEach((key, amount) -> sums.merge(key, amount, Long::sum));
    List<Map.Entry<Key, Long>> sorted = new ArrayList<>(sums.entrySet());
    sorted.sort(
        Map.Entry.<Key, Long>comparingByValue()
            .reversed()
            .thenComparing(entry -> entry.getKey().toString(), Comparator.naturalOrder()));
    return sorted.stream()
        .limit(most)
        .map(
            entry ->
                new LiveSnapshot.Top(
                    entry.getKey().namespace(),
                    entry.getKey().entity(),
                    entry.getKey().resource(),
                    entry.getValue()))
        .toList();
  }
}
