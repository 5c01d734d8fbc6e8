package dev.millrace.admin.internal;

import java.util.function.LongSupplier;

/** A rate limit for the writes of jobs. Thread-safe. */
final class WriteRate {
  private static final long MICROS_PER_MS = 1_000;
  private static final long MICROS_PER_SECOND = 1_000_000;

  private final long microsPerWrite;
  private final LongSupplier clockMs;
  private final OptimisticRetry retry;

  /** The earliest time of the next write, in epoch microseconds. */
  private long nextMicros;

  WriteRate(int maxWritesPerSecond, LongSupplier clockMs, OptimisticRetry retry) {
    // up: never faster than the limit
    this.microsPerWrite = (MICROS_PER_SECOND + maxWritesPerSecond - 1) / maxWritesPerSecond;
    this.clockMs = clockMs;
    this.retry = retry;
  }

  /** Waits until {@code writes} more are allowed. */
  void take(int writes) {
    // down: at most a millisecond too early, which later writes wait for
    long waitMs = reserve(writes) / MICROS_PER_MS;
    if (waitMs > 0) {
      retry.pause(waitMs);
    }
  }

  /** Takes the next free slot; returns how far away it is. */
  private synchronized long reserve(int writes) {
    long nowMicros = clockMs.getAsLong() * MICROS_PER_MS;
    long startMicros = Math.max(nowMicros, nextMicros);
    // A clock that was set back must not stop the job for as long.
    startMicros = Math.min(startMicros, nowMicros + MICROS_PER_SECOND);
    nextMicros = startMicros + writes * microsPerWrite;
    return startMicros - nowMicros;
  }
}
