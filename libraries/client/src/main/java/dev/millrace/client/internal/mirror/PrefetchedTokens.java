package dev.millrace.client.internal.mirror;

import dev.millrace.Amounts;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.SaturatedMath;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of one bucket that were charged ahead of their use, so that callers are served from
 * memory.
 *
 * <p>Each lot may be used only for a short time after its charge; what is left then goes back. So
 * everything that is admitted within some interval was charged within the same interval and that
 * short time before it, and the bound on bursts holds for any number of processes that do this.
 */
public final class PrefetchedTokens {
  /** Most lots at a time: one in use, one to follow, and two that overtook each other. */
  private static final int MAX_LOTS = 4;

  /** The demand is measured over this part of the window. */
  private static final int SAMPLES_PER_WINDOW = 4;

  /** After so many lots in a row that came too late, the store is too far away for this. */
  private static final int MAX_LATE = 3;

  /** How long to do without then. */
  private static final long OFF_MS = 1_000;

  private static final class Lot {
    final long[] milli;
    final long usableUntilMs;

    Lot(long[] milli, long usableUntilMs) {
      this.milli = milli;
      this.usableUntilMs = usableUntilMs;
    }
  }

  private final LimitSet limits;
  private final long windowMs;
  private final ArrayDeque<Lot> lots = new ArrayDeque<>(MAX_LOTS);
  private final long[] heldMilli;
  private final long[] lowMilli;
  private final long[] returnMilli;
  private final long[] demandMilli;
  private final double[] ratePerMs;
  private long demandSinceMs;
  private long offUntilMs = Long.MIN_VALUE;
  private boolean ordered;
  private int lateInARow;

  public PrefetchedTokens(LimitSet limits, long windowMs, long nowMs) {
    this.limits = limits;
    this.windowMs = windowMs;
    this.demandSinceMs = nowMs;
    this.heldMilli = new long[limits.size()];
    this.lowMilli = new long[limits.size()];
    this.returnMilli = new long[limits.size()];
    this.demandMilli = new long[limits.size()];
    this.ratePerMs = new double[limits.size()];
  }

  public LimitSet limits() {
    return limits;
  }

  /** Takes {@code amounts}, all or nothing. */
  public synchronized boolean take(Amounts amounts, long nowMs) {
    measure(amounts, nowMs);
    expire(nowMs);
    for (int i = 0; i < heldMilli.length; i++) {
      if (amounts.milli(i) > heldMilli[i] || (amounts.isNamed(i) && heldMilli[i] == 0)) {
        return false;
      }
    }
    for (int i = 0; i < heldMilli.length; i++) {
      draw(i, amounts.milli(i));
    }
    return true;
  }

  private void draw(int index, long amountMilli) {
    heldMilli[index] -= amountMilli;
    long left = amountMilli;
    for (Lot lot : lots) {
      if (left == 0) {
        return;
      }
      long drawn = Math.min(left, lot.milli[index]);
      lot.milli[index] -= drawn;
      left -= drawn;
    }
  }

  private void measure(Amounts amounts, long nowMs) {
    for (int i = 0; i < demandMilli.length; i++) {
      demandMilli[i] = SaturatedMath.add(demandMilli[i], amounts.milli(i));
    }
    long tookMs = nowMs - demandSinceMs;
    if (tookMs * SAMPLES_PER_WINDOW >= windowMs) {
      for (int i = 0; i < demandMilli.length; i++) {
        // It falls slowly: while callers wait for a lot they ask for little, and want as much
        // after.
        double measured = (double) demandMilli[i] / Math.max(1, tookMs);
        ratePerMs[i] = Math.max(measured, ratePerMs[i] / 2);
        demandMilli[i] = 0;
      }
      demandSinceMs = nowMs;
    }
  }

  /**
   * What should be charged now for requests to come, or null when there is enough. The caller must
   * then tell {@link #arrived} or {@link #failed}.
   */
  public synchronized @Nullable Amounts order(long nowMs) {
    if (ordered || nowMs < offUntilMs || !isLow()) {
      return null;
    }
    long[] milli = new long[heldMilli.length];
    boolean any = false;
    for (int i = 0; i < milli.length; i++) {
      long wantedMilli = (long) (ratePerMs[i] * windowMs);
      milli[i] = Math.max(0, wantedMilli - heldMilli[i]);
      any |= milli[i] > 0;
    }
    if (!any) {
      return null;
    }
    ordered = true;
    return Amounts.ofMilli(limits, milli);
  }

  private boolean isLow() {
    for (int i = 0; i < heldMilli.length; i++) {
      if (heldMilli[i] <= lowMilli[i]) {
        return true;
      }
    }
    return false;
  }

  /** An order was charged; somebody must look later after what is left of it. */
  public synchronized void arrived(Amounts amounts, long usableUntilMs, long nowMs) {
    ordered = false;
    long[] milli = new long[heldMilli.length];
    for (int i = 0; i < milli.length; i++) {
      milli[i] = amounts.milli(i);
    }
    if (nowMs >= usableUntilMs || lots.size() == MAX_LOTS) {
      addTo(returnMilli, milli);
      lateInARow++;
      if (lateInARow >= MAX_LATE) {
        offUntilMs = nowMs + OFF_MS;
        lateInARow = 0;
      }
      return;
    }
    lateInARow = 0;
    addTo(heldMilli, milli);
    lots.add(new Lot(milli, usableUntilMs));
    for (int i = 0; i < milli.length; i++) {
      lowMilli[i] = heldMilli[i] / 2;
    }
  }

  /** An order was not charged. */
  public synchronized void failed(long nowMs) {
    ordered = false;
    offUntilMs = nowMs + windowMs;
  }

  /** What must be given back by now, or null; whoever takes it must do so. */
  public synchronized @Nullable Amounts takeReturns(long nowMs) {
    expire(nowMs);
    Amounts returned = Amounts.ofMilli(limits, returnMilli);
    if (returned.isEmpty()) {
      return null;
    }
    Arrays.fill(returnMilli, 0);
    return returned.negated();
  }

  /** Everything, to be given back: the limiter closes. */
  public synchronized @Nullable Amounts takeAll() {
    offUntilMs = Long.MAX_VALUE;
    return takeReturns(Long.MAX_VALUE);
  }

  /** Whether nothing is held, on order, or to be given back. */
  public synchronized boolean isIdle() {
    return lots.isEmpty() && !ordered && Amounts.ofMilli(limits, returnMilli).isEmpty();
  }

  private void expire(long nowMs) {
    Iterator<Lot> oldest = lots.iterator();
    while (oldest.hasNext()) {
      Lot lot = oldest.next();
      if (nowMs < lot.usableUntilMs) {
        return;
      }
      oldest.remove();
      for (int i = 0; i < lot.milli.length; i++) {
        heldMilli[i] -= lot.milli[i];
      }
      addTo(returnMilli, lot.milli);
    }
  }

  private static void addTo(long[] sums, long[] milli) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += milli[i];
    }
  }
}
