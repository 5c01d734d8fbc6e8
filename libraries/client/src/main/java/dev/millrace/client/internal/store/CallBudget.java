package dev.millrace.client.internal.store;

import dev.millrace.AcquireRequest;
import dev.millrace.LimiterOptions;
import dev.millrace.Threads;
import dev.millrace.TimeSource;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.store.StoreCall;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The time and the store writes that one call has left, through all its stages: from looking up the
 * configuration to giving back what was charged in vain. Drivers take every write from it, so that
 * the bounds of retry loops that are nested in each other do not multiply.
 *
 * <p>A write that callers share is taken from the budget of the caller that leads it.
 */
public final class CallBudget {
  /** Most buckets of one request. */
  public static final int MAX_LEGS =
      AcquireRequest.MAX_RESOURCES * (1 + EntityRecord.MAX_ANCESTORS);

  /** Most writes of one call: four for each bucket of the largest request. */
  public static final int MAX_WRITES = 4 * MAX_LEGS;

  /** Of the time that is left, one part in so many is kept for giving back. */
  private static final int GIVING_BACK_PART = 4;

  /** The writes that are kept for giving back: one for each bucket. */
  private static final int GIVING_BACK_WRITES = MAX_LEGS;

  private static final AtomicIntegerFieldUpdater<CallBudget> WRITES =
      AtomicIntegerFieldUpdater.newUpdater(CallBudget.class, "writes");

  private static final long NANOS_PER_MS = 1_000_000;

  private final TimeSource time;
  private final Threads threads;
  private final long limitNanos;
  private final long endsAtMs;

  /** The same instant for threads that wait. */
  private final long endsAtNanos;

  /** The budget that counts the writes: this one, unless it is a part of another. */
  private final CallBudget whole;

  private final int maxWrites;
  private volatile int writes;

  private CallBudget(TimeSource time, Threads threads, long limitNanos) {
    this.time = time;
    this.threads = threads;
    this.limitNanos = limitNanos;
    this.endsAtMs = time.elapsedMs() + limitNanos / NANOS_PER_MS;
    this.endsAtNanos = threads.nanoTime() + limitNanos;
    this.whole = this;
    this.maxWrites = MAX_WRITES;
  }

  private CallBudget(CallBudget whole, long leftMs, long leftNanos, int maxWrites) {
    this.time = whole.time;
    this.threads = whole.threads;
    this.limitNanos = whole.limitNanos;
    this.endsAtMs = time.elapsedMs() + leftMs;
    this.endsAtNanos = threads.nanoTime() + leftNanos;
    this.whole = whole.whole;
    this.maxWrites = maxWrites;
  }

  /** The whole budget, from now on. */
  public static CallBudget of(LimiterOptions options) {
    return new CallBudget(options.time(), options.threads(), options.timeout().toNanos());
  }

  /** The whole budget of another call, from now on. */
  public CallBudget again() {
    return new CallBudget(time, threads, limitNanos);
  }

  /** The part of this budget that leaves what giving back may take. */
  public CallBudget beforeGivingBack() {
    long leftMs = leftMs() - leftMs() / GIVING_BACK_PART;
    long leftNanos = Math.max(0, endsAtNanos - threads.nanoTime());
    return new CallBudget(
        this, leftMs, leftNanos - leftNanos / GIVING_BACK_PART, MAX_WRITES - GIVING_BACK_WRITES);
  }

  /** The same writes with a whole time limit, for another thread that works for the call. */
  public CallBudget withWholeTime() {
    return new CallBudget(this, limitNanos / NANOS_PER_MS, limitNanos, maxWrites);
  }

  /** Takes one write; false when none is left, and the write must not be sent. */
  boolean takeWrite() {
    int taken;
    do {
      taken = whole.writes;
      if (taken >= maxWrites) {
        return false;
      }
    } while (!WRITES.compareAndSet(whole, taken, taken + 1));
    return true;
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
