package dev.millrace.tests.support;

import dev.millrace.client.TimeSource;
import java.util.concurrent.CompletableFuture;

/** A clock that is wrong by so much. */
public record OffsetTime(long offsetMs) implements TimeSource {
  @Override
  public long nowMs() {
    return TimeSource.system().nowMs() + offsetMs;
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
