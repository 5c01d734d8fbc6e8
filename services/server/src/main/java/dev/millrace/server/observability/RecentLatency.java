package dev.millrace.server.observability;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How long requests took in the last seconds. */
final class RecentLatency {
  /** How many seconds count. */
  static final int KEPT = 10;

  /** Longer than this is counted as this. */
  private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(1);

  private static final int DIGITS = 2;

  private final Histogram[] histograms = new Histogram[KEPT];
  private final long[] seconds = new long[KEPT];

  RecentLatency() {
    for (int i = 0; i < KEPT; i++) {
      histograms[i] = new Histogram(MAX_MICROS, DIGITS);
    }
  }

  synchronized void add(long epochSecond, long nanos) {
    int index = (int) Math.floorMod(epochSecond, (long) KEPT);
    if (seconds[index] != epochSecond) {
      seconds[index] = epochSecond;
      histograms[index].reset();
    }
    long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
    histograms[index].recordValue(Math.min(MAX_MICROS, Math.max(0, micros)));
  }

  /** The time in milliseconds within which {@code percent} of the requests were answered. */
  synchronized double percentileMs(double percent, long epochSecond) {
    Histogram all = new Histogram(MAX_MICROS, DIGITS);
    for (int i = 0; i < KEPT; i++) {
      if (seconds[i] > epochSecond - KEPT && seconds[i] <= epochSecond) {
        all.add(histograms[i]);
      }
    }
    return all.getTotalCount() == 0 ? 0 : all.getValueAtPercentile(percent) / 1_000.0;
  }
}
