package dev.millrace.dynamodb.admin.migration;

import dev.millrace.MillraceException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Keeps a migration from spending more capacity than it may, for all its threads together. What a
 * request cost is known when it was answered, so the next one waits for it.
 */
final class UnitRate {
  /** How the waiting is done. */
  @FunctionalInterface
  interface Pause {
    void nanos(long nanos) throws InterruptedException;
  }

  private final long nanosPerUnit;
  private final LongSupplier nanoTime;
  private final Pause pause;
  private long freeAtNanos;

  UnitRate(int unitsPerSecond) {
    this(unitsPerSecond, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
  }

  UnitRate(int unitsPerSecond, LongSupplier nanoTime, Pause pause) {
    // up: never faster than it may
    this.nanosPerUnit = (TimeUnit.SECONDS.toNanos(1) + unitsPerSecond - 1) / unitsPerSecond;
    this.nanoTime = nanoTime;
    this.pause = pause;
    this.freeAtNanos = nanoTime.getAsLong();
  }

  /** Books {@code units} and waits until those that were booked before have been paid for. */
  void spend(double units) {
    long waitNanos = book(units);
    if (waitNanos > 0) {
      try {
        pause.nanos(waitNanos);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new MillraceException(
            "the migration was interrupted; it can be resumed", Map.of(), e);
      }
    }
  }

  private synchronized long book(double units) {
    long nowNanos = nanoTime.getAsLong();
    long startNanos = Math.max(nowNanos, freeAtNanos); // what was not spent is not saved up
    freeAtNanos = startNanos + (long) Math.ceil(units * nanosPerUnit);
    return startNanos - nowNanos;
  }
}
