package dev.millrace.core.spi.store;

import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.util.function.LongSupplier;

/**
 * The time of those who change many buckets: their own clock, put right when the store's disagrees
 * by more than a second. An operator's machine may be hours off, and a change that reaches a
 * hundred thousand buckets would claim those hours for each of them. When the first call is a read,
 * the clock is right before anything is claimed.
 */
public final class TableClock {
  /** Differences up to this are left alone: clocks that are kept in time differ by less. */
  private static final long TOLERANCE_MS = 1_000;

  /** The store tells whole seconds, rounded down. */
  private static final long RESOLUTION_MS = 1_000;

  private final LongSupplier clockMs;
  private volatile long offsetMs;

  /** By {@code clockMs}, in epoch milliseconds. */
  public TableClock(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /** Epoch milliseconds, corrected. */
  public long nowMs() {
    return clockMs.getAsLong() + offsetMs;
  }

  /** The uncorrected time, as {@link #observe} wants it. */
  public long rawMs() {
    return clockMs.getAsLong();
  }

  /** Learns from the receipt of a call that was under way between two moments. */
  public void observe(long sentRawMs, long receivedRawMs, Receipt receipt) {
    long storeMs = receipt.storeTimeMs();
    if (storeMs == Receipt.NO_TIME || receivedRawMs < sentRawMs) {
      return;
    }
    long low = storeMs - receivedRawMs;
    long high = storeMs + RESOLUTION_MS - sentRawMs;
    if (low - TOLERANCE_MS <= 0 && 0 <= high + TOLERANCE_MS) {
      offsetMs = 0;
    } else if (offsetMs < low || offsetMs > high) {
      offsetMs = low + (high - low) / 2;
    }
  }
}
