package dev.millrace.benchmarks.meter;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.core.spi.plan.PlanSettings;
import java.time.Duration;

/**
 * Watches buckets of which every request asks the same, from before they are made, and tells how
 * near the promise of a bounded burst they came: in every window of length t at most {@code burst +
 * rate × (t + Δ)} is admitted.
 *
 * <p>A request counts when its caller is told. That is later than the decision, never earlier, so
 * what is told late can leave a window but not move into one that starts with the bucket.
 */
public final class AdmissionMeter {
  /** Requests may still be answered this long after the run. */
  private static final Duration SLACK = Duration.ofSeconds(20);

  private static final int MAX_STRIPES = 8;

  /** With more buckets than this, bins are wider, so that all of them fit into memory. */
  private static final int MAX_FINE_BUCKETS = 8;

  private static final long FINE_NANOS = 1_000_000;
  private static final long COARSE_NANOS = 10_000_000;

  private final AcquireRequest request;
  private final long binNanos;
  private final AdmissionBins[] buckets;

  /**
   * A meter that starts now.
   *
   * @param request what every request asks; its limits are what is promised
   * @param count how many buckets
   * @param length of the run
   */
  public AdmissionMeter(AcquireRequest request, int count, Duration length) {
    boolean fine = count <= MAX_FINE_BUCKETS;
    long originNanos = System.nanoTime();
    this.request = request;
    this.binNanos = fine ? FINE_NANOS : COARSE_NANOS;
    this.buckets = new AdmissionBins[count];
    int capacity = Math.toIntExact(length.plus(SLACK).toNanos() / binNanos);
    int cores = Runtime.getRuntime().availableProcessors();
    int stripes = fine ? Math.min(MAX_STRIPES, Integer.highestOneBit(cores)) : 1;
    for (int i = 0; i < count; i++) {
      buckets[i] = new AdmissionBins(originNanos, binNanos, capacity, stripes);
    }
  }

  /** One request was admitted by the bucket with this number. */
  public void admitted(int bucket) {
    buckets[bucket].add(System.nanoTime());
  }

  /** The greatest ratio of what was admitted to what is allowed: any limit, window and bucket. */
  public double maxOverAdmission() {
    double worst = 0;
    for (AdmissionBins bucket : buckets) {
      long[] counts = bucket.counts();
      for (Limit limit : request.requireLimits()) {
        worst = Math.max(worst, ratio(counts, limit));
      }
    }
    return worst;
  }

  private double ratio(long[] counts, Limit limit) {
    long tokens = request.tokens().getOrDefault(limit.name(), 0L);
    if (tokens == 0) {
      return 0;
    }
    // In requests: how many of them the limit allows.
    double burst = (double) limit.burstMilli() / Limit.MILLI / tokens;
    double perMs =
        (double) limit.refill().amountMilli() / limit.refill().periodMs() / Limit.MILLI / tokens;
    double binMs = binNanos / 1e6;
    return WorstWindow.ratio(counts, burst + perMs * PlanSettings.DEFAULT.grainMs(), perMs * binMs);
  }
}
