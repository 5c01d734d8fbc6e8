package dev.millrace.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The machine's own clock. */
enum SystemTimeSource implements TimeSource {
  INSTANCE;

  @Override
  public long nowMs() {
    return System.currentTimeMillis();
  }

  @Override
  public long elapsedMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  @Override
  public CompletableFuture<Void> after(long delayMs) {
    // Completed early, the JDK cancels the timer behind it.
    return new CompletableFuture<Void>()
        .completeOnTimeout(null, Math.max(0, delayMs), TimeUnit.MILLISECONDS);
  }
}
