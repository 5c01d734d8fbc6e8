package dev.millrace.client.internal.store;

import dev.millrace.LimiterOptions;
import dev.millrace.core.spi.store.StoreCall;

/**
 * The time that one answer has left: a deadline that goes with a call through all its stages, from
 * looking up what holds to giving back what was charged in vain.
 */
public final class Deadline {
  /** Of what is left, one part in so many is kept for giving back. */
  private static final int GIVING_BACK_PART = 4;

  private final LimiterOptions options;
  private final long endsAtMs;

  /** The same moment for threads that wait. */
  private final long endsAtNanos;

  private Deadline(LimiterOptions options, long leftMs, long leftNanos) {
    this.options = options;
    this.endsAtMs = options.time().elapsedMs() + leftMs;
    this.endsAtNanos = options.threads().nanoTime() + leftNanos;
  }

  /** The whole time limit, from now on. */
  public static Deadline of(LimiterOptions options) {
    return new Deadline(options, options.timeout().toMillis(), options.timeout().toNanos());
  }

  /** What is left, less what giving back may take. */
  public Deadline beforeGivingBack() {
    long leftMs = leftMs() - leftMs() / GIVING_BACK_PART;
    long leftNanos = Math.max(0, endsAtNanos - options.threads().nanoTime());
    return new Deadline(options, leftMs, leftNanos - leftNanos / GIVING_BACK_PART);
  }

  public long leftMs() {
    return Math.max(0, endsAtMs - options.time().elapsedMs());
  }

  /** When it ends, of the time that elapses. */
  public long endsAtMs() {
    return endsAtMs;
  }

  /** When it ends, for threads that wait. */
  public long endsAtNanos() {
    return endsAtNanos;
  }

  /**
   * How long {@code call} may take, 0 when the time is over. A write gets half of what is left, so
   * that there is time to look when its answer does not come.
   */
  public long timeoutMs(StoreCall call) {
    long leftMs = leftMs();
    return call.writes() ? (leftMs + 1) / 2 : leftMs;
  }
}
