package dev.millrace.server.observability;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The number of requests in each of the last seconds, and their durations in the latest ones. */
final class RecentRequests {
  static final int KEPT = 300;
  static final int LATENCIES_KEPT = 10;

  /** Longer durations count as this one. */
  private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(1);

  private static final int DIGITS = 2;

  private final long[] seconds = new long[KEPT];
  private final long[] admitted = new long[KEPT];
  private final long[] refused = new long[KEPT];
  private final long[] latencySeconds = new long[LATENCIES_KEPT];
  private final Histogram[] latencies = new Histogram[LATENCIES_KEPT];

  RecentRequests() {
    Arrays.setAll(latencies, i -> new Histogram(MAX_MICROS, DIGITS));
  }

  synchronized void count(long epochSecond, boolean wasAdmitted) {
    int index = (int) Math.floorMod(epochSecond, (long) KEPT);
    if (seconds[index] != epochSecond) {
      seconds[index] = epochSecond;
      admitted[index] = 0;
      refused[index] = 0;
    }
    (wasAdmitted ? admitted : refused)[index]++;
  }

  /** The last seconds up to the current one, the oldest first, quiet ones too. */
  synchronized List<LiveSnapshot.Second> until(long epochSecond) {
    List<LiveSnapshot.Second> all = new ArrayList<>(KEPT);
    for (long second = epochSecond - KEPT + 1; second <= epochSecond; second++) {
      int index = (int) Math.floorMod(second, (long) KEPT);
      boolean active = seconds[index] == second;
      all.add(
          new LiveSnapshot.Second(
              second, active ? admitted[index] : 0, active ? refused[index] : 0));
    }
    return all;
  }

  synchronized void took(long epochSecond, long nanos) {
    int index = (int) Math.floorMod(epochSecond, (long) LATENCIES_KEPT);
    if (latencySeconds[index] != epochSecond) {
      latencySeconds[index] = epochSecond;
      latencies[index].reset();
    }
    long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
    latencies[index].recordValue(Math.min(MAX_MICROS, Math.max(0, micros)));
  }

  /** The duration in milliseconds within which {@code percent} of the requests were answered. */
  synchronized double percentileMs(double percent, long epochSecond) {
    Histogram all = new Histogram(MAX_MICROS, DIGITS);
    for (int i = 0; i < LATENCIES_KEPT; i++) {
      if (latencySeconds[i] > epochSecond - LATENCIES_KEPT && latencySeconds[i] <= epochSecond) {
        all.add(latencies[i]);
      }
    }
    return all.getTotalCount() == 0 ? 0 : all.getValueAtPercentile(percent) / 1_000.0;
  }
}
