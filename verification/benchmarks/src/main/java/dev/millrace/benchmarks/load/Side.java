package dev.millrace.benchmarks.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The figures of one side of an {@link Alternation}, in its own slices of the measured time. */
public final class Side {
  private final Histogram latencies = new ThreadTally().latencies();
  private final List<Double> perSecondOfThreads = new ArrayList<>();

  Side() {}

  /** One thread made {@code count} requests in {@code nanos}. */
  synchronized void add(long count, long nanos, Histogram ofThread) {
    latencies.add(ofThread);
    if (nanos > 0) {
      perSecondOfThreads.add(count * (double) TimeUnit.SECONDS.toNanos(1) / nanos);
    }
  }

  /** Requests a second of all threads together. */
  public synchronized double perSecond() {
    return perSecondOfThreads.stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Of single requests, in nanoseconds. */
  public Histogram latencies() {
    return latencies;
  }
}
