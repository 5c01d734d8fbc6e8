package dev.millrace;

import java.util.concurrent.CompletableFuture;

/** Where a limiter gets the time from and how it waits. Tests bring their own. */
public interface TimeSource {
  /** Epoch milliseconds; may jump, as clocks do. */
  long nowMs();

  /** Milliseconds since some moment; never jumps. Deadlines are measured with it. */
  long elapsedMs();

  /** A future that completes after {@code delayMs}. Completing it earlier frees its timer. */
  CompletableFuture<Void> after(long delayMs);

  /** The machine's own clock. */
  static TimeSource system() {
    return SystemRuntime.INSTANCE;
  }
}
