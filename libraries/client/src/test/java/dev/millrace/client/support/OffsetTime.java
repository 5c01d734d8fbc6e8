package dev.millrace.client.support;

import dev.millrace.TimeSource;
import java.util.concurrent.CompletableFuture;

/** A clock that is wrong by so much. */
public record OffsetTime(TimeSource time, long offsetMs) implements TimeSource {
  /** The machine's own clock, wrong by so much. */
  public OffsetTime(long offsetMs) {
    this(TimeSource.system(), offsetMs);
  }

  @Override
  public long nowMs() {
    return time.nowMs() + offsetMs;
  }

  @Override
  public long elapsedMs() {
    return time.elapsedMs();
  }

  @Override
  public CompletableFuture<Void> after(long delayMs) {
    return time.after(delayMs);
  }
}
