package dev.millrace.benchmarks.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * The counts of one thread. Written by that thread only; the counts may be read by others at any
 * time, the latencies once it has stopped.
 */
public final class ThreadTally {
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int DIGITS = 3;

  private final AtomicLong admitted = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final Histogram latencies = new Histogram(MAX_NANOS, DIGITS);

  ThreadTally() {}

  /** A request was answered. */
  public void answered(boolean granted) {
    increment(granted ? admitted : refused);
  }

  /** A request could not be decided; see {@link Tallies#failed}. */
  void failed() {
    increment(failed);
  }

  /** A request took so long. */
  public void took(long nanos) {
    latencies.recordValue(Math.max(0, Math.min(nanos, MAX_NANOS)));
  }

  /** Only one thread writes, so no atomic addition is needed, only that others see it. */
  private static void increment(AtomicLong count) {
    count.setRelease(count.getPlain() + 1);
  }

  AnswerCounts counts() {
    return new AnswerCounts(admitted.getAcquire(), refused.getAcquire(), failed.getAcquire());
  }

  Histogram latencies() {
    return latencies;
  }
}
