package dev.millrace.client.internal;

import dev.millrace.client.LeaseState;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.request.OnUnavailable;
import org.jspecify.annotations.Nullable;

/**
 * The books of one lease: what is charged, what was granted without a charge, and what is still to
 * be written. Every amount has one writer at a time; nothing here does I/O.
 */
final class LeaseLedger {
  private final Prepared first;
  private final LimitSet limits;

  private final long[] chargedMilli;
  private final long[] unchargedMilli;
  private final long[] pendingMilli;
  private LeaseState state = LeaseState.OPEN;
  private boolean degraded;

  /** Whether the first grant was charged; a lease that was not writes nothing, ever. */
  private boolean charging;

  private LeaseLedger(Prepared first) {
    this.first = first;
    this.limits = first.amounts().limits();
    this.chargedMilli = new long[limits.size()];
    this.unchargedMilli = new long[limits.size()];
    this.pendingMilli = new long[limits.size()];
  }

  /** A lease whose first grant was charged. */
  static LeaseLedger charged(Prepared first) {
    LeaseLedger ledger = new LeaseLedger(first);
    ledger.charging = true;
    ledger.charge(first.amounts());
    return ledger;
  }

  /** A lease that was granted without a charge. */
  static LeaseLedger degraded(Prepared first) {
    LeaseLedger ledger = new LeaseLedger(first);
    ledger.grantUncharged(first.amounts());
    return ledger;
  }

  BucketKey key() {
    return first.key();
  }

  LimitSet limits() {
    return limits;
  }

  OnUnavailable policy() {
    return first.policy();
  }

  /** The request that the lease began with. */
  Prepared first() {
    return first;
  }

  synchronized LeaseState state() {
    return state;
  }

  synchronized boolean isDegraded() {
    return degraded;
  }

  /** Whether anything that this lease does is to be written. */
  synchronized boolean isCharging() {
    return charging;
  }

  synchronized void requireOpen() {
    if (state != LeaseState.OPEN) {
      throw new IllegalStateException(
          "the lease of "
              + key()
              + " has ended: it is "
              + state
              + ", only an open one can be used");
    }
  }

  /** Books a further charge; false when the lease was cancelled meanwhile and must give it back. */
  synchronized boolean charge(Amounts amounts) {
    if (state == LeaseState.CANCELLED) {
      return false;
    }
    for (int i = 0; i < limits.size(); i++) {
      chargedMilli[i] += amounts.milli(i);
    }
    return true;
  }

  synchronized void grantUncharged(Amounts amounts) {
    degraded = true;
    for (int i = 0; i < limits.size(); i++) {
      unchargedMilli[i] += amounts.milli(i);
    }
  }

  synchronized long consumedMilli(String limit) {
    int i = Amounts.requireIndex(limits, limit);
    return chargedMilli[i] + unchargedMilli[i] + pendingMilli[i];
  }

  synchronized void adjust(String limit, long deltaTokens) {
    requireOpen();
    int i = Amounts.requireIndex(limits, limit);
    if (Math.abs(deltaTokens) > Limit.MAX_TOKENS || deltaTokens == Long.MIN_VALUE) {
      throw new IllegalArgumentException(
          "limit '"
              + limit
              + "': adjustment "
              + deltaTokens
              + " must be from -"
              + Limit.MAX_TOKENS
              + " to "
              + Limit.MAX_TOKENS);
    }
    long pending = Math.addExact(pendingMilli[i], deltaTokens * Limit.MILLI);
    long consumed = Math.addExact(chargedMilli[i] + unchargedMilli[i], pending);
    if (consumed < 0) {
      throw new IllegalArgumentException(
          "limit '"
              + limit
              + "': adjustment "
              + deltaTokens
              + " would leave the lease with "
              + Limit.tokens(consumed)
              + " consumed: no more can be given back than was taken");
    }
    pendingMilli[i] = pending;
  }

  /** Ends the lease well; what is to be written, or null when it has ended before. */
  synchronized @Nullable Amounts close() {
    if (state != LeaseState.OPEN) {
      return null;
    }
    state = LeaseState.SETTLED;
    long[] milli = new long[limits.size()];
    for (int i = 0; i < milli.length && charging; i++) {
      // What was never charged cannot be given back.
      milli[i] = Math.max(pendingMilli[i], -chargedMilli[i]);
    }
    return Amounts.ofMilli(limits, milli);
  }

  /** Takes the end back: surely nothing was written, so it can be tried again. */
  synchronized void reopen() {
    state = LeaseState.OPEN;
  }

  /** Takes the lease back; what is to be written, or null when it has ended before. */
  synchronized @Nullable Amounts cancel() {
    if (state != LeaseState.OPEN) {
      return null;
    }
    state = LeaseState.CANCELLED;
    long[] milli = new long[limits.size()];
    for (int i = 0; i < milli.length; i++) {
      milli[i] = -chargedMilli[i];
    }
    return Amounts.ofMilli(limits, milli);
  }
}
