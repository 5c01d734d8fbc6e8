package dev.millrace.client.internal.store;

import dev.millrace.TimeSource;
import dev.millrace.core.spi.store.StoreReply.Receipt;

/**
 * The time by which a process refills: its own clock, put right when the store's clock disagrees by
 * more than a second. A host whose clock is hours ahead would otherwise claim hours of credit.
 *
 * <p>Every reply says what time the store had, to the second. From when the call was sent and when
 * the reply came, each bounds the difference of the two clocks: {@code store − received ≤ offset ≤
 * store + 1 s − sent}. The intersection of the bounds of a minute is much narrower than a second.
 * Bounds that contradict the earlier ones mean that a clock was set: then the latest count alone.
 */
public final class StoreClock {
  /** Differences up to this are left alone: clocks that are kept in time differ by less. */
  public static final long TOLERANCE_MS = 1_000;

  /** The store tells whole seconds, rounded down. */
  private static final long RESOLUTION_MS = 1_000;

  /** How long bounds are collected before they are begun anew, because clocks drift. */
  private static final long WINDOW_MS = 60_000;

  private final TimeSource time;

  /** Read on every call, written only when the correction changes. */
  private volatile long offsetMs;

  private long lowMs = Long.MIN_VALUE;
  private long highMs = Long.MAX_VALUE;
  private long windowEndsAtMs = Long.MIN_VALUE;

  public StoreClock(TimeSource time) {
    this.time = time;
  }

  /** Epoch milliseconds, corrected. */
  public long nowMs() {
    return time.nowMs() + offsetMs;
  }

  /** The uncorrected time, as {@link #observe} wants it. */
  public long rawMs() {
    return time.nowMs();
  }

  /**
   * Learns from a reply.
   *
   * @param sentMs raw time when the call was sent
   * @param receivedMs raw time when its reply came
   * @return whether the correction changed
   */
  public synchronized boolean observe(long sentMs, long receivedMs, long storeMs) {
    if (storeMs == Receipt.NO_TIME || receivedMs < sentMs) {
      return false;
    }
    long low = storeMs - receivedMs;
    long high = storeMs + RESOLUTION_MS - sentMs;
    boolean contradicts = low > highMs || high < lowMs;
    boolean windowOver = receivedMs >= windowEndsAtMs || receivedMs < windowEndsAtMs - WINDOW_MS;
    if (contradicts || windowOver) {
      lowMs = low;
      highMs = high;
      windowEndsAtMs = receivedMs + WINDOW_MS;
    } else {
      lowMs = Math.max(lowMs, low);
      highMs = Math.min(highMs, high);
    }
    long tolerated = offsetMs == 0 ? TOLERANCE_MS : 0;
    if (lowMs - tolerated <= offsetMs && offsetMs <= highMs + tolerated) {
      return false;
    }
    boolean right = lowMs - TOLERANCE_MS <= 0 && 0 <= highMs + TOLERANCE_MS;
    offsetMs = right ? 0 : lowMs + (highMs - lowMs) / 2;
    return true;
  }

  public long offsetMs() {
    return offsetMs;
  }
}
