package dev.millrace.server.observability;

import dev.millrace.server.live.LiveSnapshot;
import java.util.ArrayList;
import java.util.List;

/** How many requests were answered in each of the last seconds, and how. */
final class RecentSeconds {
  /** How many seconds are kept. */
  static final int KEPT = 300;

  private final long[] seconds = new long[KEPT];
  private final long[] admitted = new long[KEPT];
  private final long[] refused = new long[KEPT];

  synchronized void add(long epochSecond, boolean wasAdmitted) {
    int index = (int) Math.floorMod(epochSecond, (long) KEPT);
    if (seconds[index] != epochSecond) {
      seconds[index] = epochSecond;
      admitted[index] = 0;
      refused[index] = 0;
    }
    if (wasAdmitted) {
      admitted[index]++;
    } else {
      refused[index]++;
    }
  }

  /** The last seconds, the oldest first, up to the one that has just ended; quiet ones too. */
  synchronized List<LiveSnapshot.Second> until(long epochSecond) {
    List<LiveSnapshot.Second> all = new ArrayList<>(KEPT);
    for (long second = epochSecond - KEPT + 1; second <= epochSecond; second++) {
      int index = (int) Math.floorMod(second, (long) KEPT);
      boolean there = seconds[index] == second;
      all.add(
          new LiveSnapshot.Second(second, there ? admitted[index] : 0, there ? refused[index] : 0));
    }
    return all;
  }
}
