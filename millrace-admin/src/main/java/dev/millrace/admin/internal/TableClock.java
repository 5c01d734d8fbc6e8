package dev.millrace.admin.internal;

import dev.millrace.core.store.Receipt;
import java.util.function.LongSupplier;

/**
 * The time of the administration: its own clock, put right when the store's disagrees by more than
 * a second. An operator's machine may be hours off, and a change that reaches a hundred thousand
 * buckets would claim those hours for each of them. The first call is always a read, so the clock
 * is right before anything is claimed.
 */
final class TableClock {
  /** Differences up to this are left alone: clocks that are kept in time differ by less. */
  private static final long TOLERANCE_MS = 1_000;

  /** The store tells whole seconds, rounded down. */
  private static final long RESOLUTION_MS = 1_000;

  private final LongSupplier clockMs;
  private volatile long offsetMs;

  TableClock(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /** Epoch milliseconds, corrected. */
  long nowMs() {
    return clockMs.getAsLong() + offsetMs;
  }

  /** The uncorrected time, as {@link #observe} wants it. */
  long rawMs() {
    return clockMs.getAsLong();
  }

  /** Learns from the receipt of a call that was under way between two moments. */
  void observe(long sentRawMs, long receivedRawMs, Receipt receipt) {
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
