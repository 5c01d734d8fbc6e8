package dev.millrace.client.internal;

import dev.millrace.client.LimiterOptions;
import dev.millrace.client.TimeSource;
import dev.millrace.core.store.StoreCall;

/** The time that one conversation has left. */
final class Budget {
  private final TimeSource time;
  private final long endsAtMs;

  private Budget(TimeSource time, long endsAtMs) {
    this.time = time;
    this.endsAtMs = endsAtMs;
  }

  static Budget of(LimiterOptions options) {
    TimeSource time = options.time();
    return new Budget(time, time.elapsedMs() + options.timeout().toMillis());
  }

  /**
   * How long {@code call} may take, 0 when the time is over. A write gets half of what is left, so
   * that there is time to look when its answer does not come.
   */
  long timeoutMs(StoreCall call) {
    long leftMs = Math.max(0, endsAtMs - time.elapsedMs());
    return call.writes() ? (leftMs + 1) / 2 : leftMs;
  }
}
