package dev.millrace.benchmarks.meter;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The number of admitted requests of one bucket in each short stretch of time since the bucket was
 * made. Takes a fixed amount of memory, however many requests there are. Safe for many threads:
 * they are spread over stripes, so that counting does not become what is measured.
 */
public final class AdmissionBins {
  private final long originNanos;
  private final long binNanos;
  private final AtomicIntegerArray[] stripes;

  /**
   * Bins of {@code binNanos} from {@code originNanos} on.
   *
   * @param capacity how many bins; what comes after the last one is counted in it, which can only
   *     make the worst window look worse
   * @param stripes over how many counters threads are spread, a power of two
   */
  public AdmissionBins(long originNanos, long binNanos, int capacity, int stripes) {
    if (Integer.bitCount(stripes) != 1) {
      throw new IllegalArgumentException("stripes " + stripes + " must be a power of two");
    }
    this.originNanos = originNanos;
    this.binNanos = binNanos;
    this.stripes = new AtomicIntegerArray[stripes];
    for (int i = 0; i < stripes; i++) {
      this.stripes[i] = new AtomicIntegerArray(capacity);
    }
  }

  /** Counts one request, admitted at {@code nowNanos} by the clock of the origin. */
  public void add(long nowNanos) {
    AtomicIntegerArray stripe =
        stripes[(int) Thread.currentThread().getId() & (stripes.length - 1)];
    long bin = (nowNanos - originNanos) / binNanos;
    stripe.getAndIncrement((int) Math.max(0, Math.min(bin, stripe.length() - 1)));
  }

  /** The counts so far, bin by bin. */
  public long[] counts() {
    long[] counts = new long[stripes[0].length()];
    for (AtomicIntegerArray stripe : stripes) {
      for (int i = 0; i < counts.length; i++) {
        counts[i] += stripe.get(i);
      }
    }
    return counts;
  }
}
