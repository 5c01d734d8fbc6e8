package dev.millrace.client.internal.mirror;

import dev.millrace.TimeSource;
import dev.millrace.client.internal.store.StoreClock;
import org.jspecify.annotations.Nullable;

/**
 * The time of a bucket, by which a process computes its credit: that of the fastest writer's clock
 * as far as it is known, or the process's own if that is ahead. A process whose clock is behind
 * would otherwise believe that there is no credit, and be served last.
 *
 * <p>A refill timestamp that was seen says what its writer's clock had passed by then. Since then
 * at least the time has gone by that the process has measured, less a millisecond, because both
 * clocks tell whole ones, and less what a clock may drift. So a claim by this time is never ahead
 * of the fastest writer's clock, and processes do not drive each other on. Of several timestamps
 * the one counts that says most. What is measured is the time that elapses, which goes on evenly
 * when clocks are set.
 */
public final class BucketClock {
  /** Two clocks drift apart by at most a millisecond in so many: 500 parts per million. */
  public static final long DRIFT_PERIOD_MS = 2_000;

  /**
   * By how much the bucket's time was ahead of the time that elapses.
   *
   * @param seenAtMs when, in the time that elapses
   */
  private record Lead(long aheadMs, long seenAtMs) {
    long atMs(long elapsedMs) {
      long ageMs = Math.max(0, elapsedMs - seenAtMs);
      return aheadMs - ageMs / DRIFT_PERIOD_MS;
    }
  }

  private final StoreClock own;
  private final TimeSource time;
  private final long maxSkewMs;

  /** Null as long as no clock was ever ahead. */
  private volatile @Nullable Lead lead;

  /**
   * The clock of one bucket.
   *
   * @param own the process's clock
   * @param maxSkewMs a timestamp further ahead of the process's clock is not followed
   */
  public BucketClock(StoreClock own, TimeSource time, long maxSkewMs) {
    this.own = own;
    this.time = time;
    this.maxSkewMs = maxSkewMs;
  }

  /** A refill timestamp was seen. */
  public void saw(long refilledAtMs) {
    saw(refilledAtMs, own.nowMs());
  }

  /**
   * A refill timestamp was seen.
   *
   * @param ownMs the time by the process's clock
   */
  public void saw(long refilledAtMs, long ownMs) {
    if (ownMs < refilledAtMs - 1 && refilledAtMs <= ownMs + maxSkewMs) {
      long elapsedMs = time.elapsedMs();
      follow(new Lead(refilledAtMs - 1 - elapsedMs, elapsedMs));
    }
  }

  private synchronized void follow(Lead seen) {
    if (lead == null || seen.aheadMs > lead.atMs(seen.seenAtMs)) {
      lead = seen;
    }
  }

  /** The time of the bucket. */
  public long nowMs() {
    return nowMs(own.nowMs());
  }

  /** The same when it is {@code ownMs} by the process's clock. */
  public long nowMs(long ownMs) {
    Lead followed = lead;
    if (followed == null) {
      return ownMs;
    }
    long elapsedMs = time.elapsedMs();
    long ledMs = elapsedMs + followed.atMs(elapsedMs);
    return ledMs <= ownMs + maxSkewMs ? Math.max(ownMs, ledMs) : ownMs;
  }
}
