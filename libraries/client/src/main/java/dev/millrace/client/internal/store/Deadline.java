package dev.millrace.client.internal.store;

import dev.millrace.LimiterOptions;
import dev.millrace.Threads;
import dev.millrace.TimeSource;
import dev.millrace.core.spi.store.StoreCall;

/**
 * The time that one answer has left: a deadline that goes with a call through all its stages, from
 * looking up what holds to giving back what was charged in vain.
 */
public final class Deadline {
  /** Of what is left, one part in so many is kept for giving back. */
  private static final int GIVING_BACK_PART = 4;

  private static final long NANOS_PER_MS = 1_000_000;

  private final TimeSource time;
  private final Threads threads;
  private final long limitNanos;
  private final long endsAtMs;

  /** The same moment for threads that wait. */
  private final long endsAtNanos;

  private Deadline(TimeSource time, Threads threads, long limitNanos, long leftMs, long leftNanos) {
    this.time = time;
    this.threads = threads;
    this.limitNanos = limitNanos;
    this.endsAtMs = time.elapsedMs() + leftMs;
    this.endsAtNanos = threads.nanoTime() + leftNanos;
  }

  /** The whole time limit, from now on. */
  public static Deadline of(LimiterOptions options) {
    long limitNanos = options.timeout().toNanos();
    return new Deadline(
        options.time(), options.threads(), limitNanos, limitNanos / NANOS_PER_MS, limitNanos);
  }

  /** The whole time limit again, from now on. */
  public Deadline again() {
    return new Deadline(time, threads, limitNanos, limitNanos / NANOS_PER_MS, limitNanos);
  }

  /** What is left, less what giving back may take. */
  public Deadline beforeGivingBack() {
    long leftMs = leftMs() - leftMs() / GIVING_BACK_PART;
    long leftNanos = Math.max(0, endsAtNanos - threads.nanoTime());
    return new Deadline(
        time, threads, limitNanos, leftMs, leftNanos - leftNanos / GIVING_BACK_PART);
  }

  public long leftMs() {
    return Math.max(0, endsAtMs - time.elapsedMs());
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
