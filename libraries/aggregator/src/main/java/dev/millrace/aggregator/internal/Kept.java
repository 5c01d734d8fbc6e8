package dev.millrace.aggregator.internal;

import dev.millrace.core.usage.Window;

/**
 * A window that usage is counted by, and how long that is kept. Remembers the piece of time that
 * was asked for last, which the next record is mostly in too. Not for use by many threads.
 */
final class Kept {
  private static final long SECOND_MS = 1_000;

  private final Window window;
  private final long retentionMs;
  private long startMs;
  private long nextMs;

  Kept(Window window, long retentionMs) {
    this.window = window;
    this.retentionMs = retentionMs;
  }

  Window window() {
    return window;
  }

  /** When the piece that {@code timeMs} is in begins. */
  long startOf(long timeMs) {
    if (timeMs < startMs || timeMs >= nextMs) {
      startMs = window.startOf(timeMs);
      nextMs = window.next(startMs);
    }
    return startMs;
  }

  /** Until when the usage of a piece is kept, which is the same for each write of it. */
  long expiresAtSeconds(long start) {
    return Math.floorDiv(start + retentionMs, SECOND_MS);
  }
}
