package dev.millrace.benchmarks.jmh;

import dev.millrace.TimeSource;
import java.util.concurrent.CompletableFuture;

/** A clock that stands still unless it is moved. For one thread. */
final class StillTime implements TimeSource {
  private long elapsedMs;

  void advance(long ms) {
    elapsedMs += ms;
  }

  @Override
  public long nowMs() {
    return SampleBucket.REFILLED_AT_MS + elapsedMs;
  }

  @Override
  public long elapsedMs() {
    return elapsedMs;
  }

  /** Never comes. */
  @Override
  public CompletableFuture<Void> after(long delayMs) {
    return new CompletableFuture<>();
  }
}
