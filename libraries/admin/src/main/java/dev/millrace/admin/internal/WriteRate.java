package dev.millrace.admin.internal;

import java.util.function.LongSupplier;

/** Keeps long work from writing faster than it may. Safe for use by many threads. */
final class WriteRate {
  private static final long MICROS_PER_MS = 1_000;
  private static final long MICROS_PER_SECOND = 1_000_000;

  private final long microsPerWrite;
  private final LongSupplier clockMs;
  private final Pauses pauses;

  /** When the next write may be made, in epoch microseconds. */
  private long nextMicros;

  WriteRate(int maxWritesPerSecond, LongSupplier clockMs, Pauses pauses) {
    // up: never faster than it may
    this.microsPerWrite = (MICROS_PER_SECOND + maxWritesPerSecond - 1) / maxWritesPerSecond;
    this.clockMs = clockMs;
    this.pauses = pauses;
  }

  /** Waits until {@code writes} more may be made. */
  void take(int writes) {
    // down: a millisecond too early at most, and the next ones wait for it
    long waitMs = reserve(writes) / MICROS_PER_MS;
    if (waitMs > 0) {
      pauses.pause(waitMs);
    }
  }

  /** Takes the next free moment; returns how far away it is. */
  private synchronized long reserve(int writes) {
    long nowMicros = clockMs.getAsLong() * MICROS_PER_MS;
    long startMicros = Math.max(nowMicros, nextMicros);
    // A clock that was set back must not stop the work for as long.
    startMicros = Math.min(startMicros, nowMicros + MICROS_PER_SECOND);
    nextMicros = startMicros + writes * microsPerWrite;
    return startMicros - nowMicros;
  }
}
