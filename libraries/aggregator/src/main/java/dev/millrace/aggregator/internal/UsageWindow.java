package dev.millrace.aggregator.internal;

import dev.millrace.core.spi.usage.Window;

/**
 * A window of the count of usage, with its retention. Caches the period that was requested last,
 * which mostly contains the next record too. Not thread-safe.
 */
final class UsageWindow {
  private static final long SECOND_MS = 1_000;

  private final Window window;
  private final long retentionMs;
  private long startMs;
  private long nextMs;

  UsageWindow(Window window, long retentionMs) {
    this.window = window;
    this.retentionMs = retentionMs;
  }

  Window window() {
    return window;
  }

  /** The beginning of the period that contains {@code timeMs}. */
  long startOf(long timeMs) {
    if (timeMs < startMs || timeMs >= nextMs) {
      startMs = window.startOf(timeMs);
      nextMs = window.next(startMs);
    }
    return startMs;
  }

  /** Until when the usage of a period is kept, which is the same for each write of it. */
  long expiresAtSeconds(long start) {
    return Math.floorDiv(start + retentionMs, SECOND_MS);
  }
}
