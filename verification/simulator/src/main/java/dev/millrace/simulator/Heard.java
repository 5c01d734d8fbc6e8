package dev.millrace.simulator;

import java.util.Map;
import java.util.TreeMap;

/**
 * The clock of a process at each answer of the store. By that clock a process tells how old its
 * memory of a bucket is, and which of two memories is older: one that is set back, or put right,
 * makes it believe for as much longer.
 */
final class Heard {
  /** By true time: the latest time that was shown up to then. */
  private final TreeMap<Long, Long> latestMs = new TreeMap<>();

  private long lastNanos = Long.MIN_VALUE;
  private long lastMs = Long.MIN_VALUE;

  /** A reply came in when the clock showed {@code shownMs}. */
  void reply(long nowNanos, long shownMs) {
    keepLast();
    lastNanos = nowNanos;
    lastMs = shownMs;
  }

  /** The clock was put right: by a reply of the same moment, which is remembered as of then. */
  void corrected(long nowNanos, long shownMs) {
    if (nowNanos == lastNanos) {
      lastMs = shownMs;
    }
  }

  private void keepLast() {
    Map.Entry<Long, Long> before = latestMs.lastEntry();
    if (before == null || before.getValue() < lastMs) {
      latestMs.put(lastNanos, lastMs);
    }
  }

  /** How old something that was heard up to a moment may seem at the least, in milliseconds. */
  long leastAgeMs(long untilNanos, long shownMs) {
    keepLast();
    Map.Entry<Long, Long> heard = latestMs.floorEntry(untilNanos);
    return heard == null || heard.getValue() == Long.MIN_VALUE
        ? Long.MAX_VALUE
        : shownMs - heard.getValue();
  }
}
