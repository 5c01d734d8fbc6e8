package dev.millrace.testkit.internal.history;

import dev.millrace.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A limiter's clock that is the clock of its history, so that a recorded moment is one at which the
 * limiter may have looked at its clock. It counts with {@link System#nanoTime}, which on Linux,
 * macOS and Windows is one clock of the machine: processes with the same origin have the same time.
 * Java does not promise that; who relies on it has to look.
 *
 * @param originMs epoch milliseconds at the moment when the clock was at zero
 */
public record MachineTime(long originMs) implements TimeSource {
  private static final long NANOS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

  /** The clock that agrees with the system's at this moment. */
  public static MachineTime now() {
    return new MachineTime(
        System.currentTimeMillis() - Math.floorDiv(System.nanoTime(), NANOS_PER_MS));
  }

  /** Epoch milliseconds at {@code nanos}. */
  public long msAt(long nanos) {
    return originMs + Math.floorDiv(nanos, NANOS_PER_MS);
  }

  @Override
  public long nowMs() {
    return msAt(System.nanoTime());
  }

  @Override
  public long elapsedMs() {
    return TimeSource.system().elapsedMs();
  }

  @Override
  public CompletableFuture<Void> after(long delayMs) {
    return TimeSource.system().after(delayMs);
  }
}
