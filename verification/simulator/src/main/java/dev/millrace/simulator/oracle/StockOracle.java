package dev.millrace.simulator.oracle;

import dev.millrace.BucketKey;
import java.util.HashMap;
import java.util.Map;

/**
 * Tokens that one process was charged ahead of their use. A caller that is served from memory must
 * be served from what was charged a moment before: tokens that are kept longer would come on top of
 * a bucket that has filled up meanwhile.
 *
 * <p>How large a lot was cannot be seen, because what is left of the one before goes back in the
 * same write; that nobody is served who was not charged is seen by {@link ChargeLedger}.
 */
public final class StockOracle {
  private final long usableNanos;
  private final Map<BucketKey, Long> chargedNanos = new HashMap<>();

  /** Tokens may be used for so long after they were charged. */
  public StockOracle(long usableNanos) {
    this.usableNanos = usableNanos;
  }

  /** The process wrote a bucket. */
  public void wrote(BucketKey bucket, long nowNanos) {
    chargedNanos.put(bucket, nowNanos);
  }

  /** A caller was served from memory. */
  public void served(BucketKey bucket, long nowNanos) {
    Long last = chargedNanos.get(bucket);
    if (last == null || nowNanos - last > usableNanos) {
      throw new Violation(
          Promise.BOUNDED_BURST,
          bucket
              + ": served from memory, and nothing was charged within the last "
              + usableNanos / 1_000_000
              + " ms");
    }
  }
}
