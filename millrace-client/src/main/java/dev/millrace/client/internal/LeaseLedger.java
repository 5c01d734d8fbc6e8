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

  /** Whether the first grant was charged; a lease that was not writes nothing, ever. */
  private final boolean charging;

  /** Beside the first grant; made when first needed, because most leases need none of them. */
  private long @Nullable [] furtherMilli;

  private long @Nullable [] unchargedMilli;
  private long @Nullable [] pendingMilli;
  private LeaseState state = LeaseState.OPEN;
  private boolean degraded;

  private LeaseLedger(Prepared first, boolean charging) {
    this.first = first;
    this.limits = first.amounts().limits();
    this.charging = charging;
  }

  /** A lease whose first grant was charged. */
  static LeaseLedger charged(Prepared first) {
    return new LeaseLedger(first, /* charging= */ true);
  }

  /** A lease that was granted without a charge. */
  static LeaseLedger degraded(Prepared first) {
    LeaseLedger ledger = new LeaseLedger(first, /* charging= */ false);
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
  boolean isCharging() {
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
    furtherMilli = plus(furtherMilli, amounts);
    return true;
  }

  synchronized void grantUncharged(Amounts amounts) {
    degraded = true;
    unchargedMilli = plus(unchargedMilli, amounts);
  }

  private long[] plus(long @Nullable [] sums, Amounts amounts) {
    long[] milli = sums == null ? new long[limits.size()] : sums;
    for (int i = 0; i < milli.length; i++) {
      milli[i] += amounts.milli(i);
    }
    return milli;
  }

  private long chargedMilli(int index) {
    return (charging ? first.amounts().milli(index) : 0) + at(furtherMilli, index);
  }

  private static long at(long @Nullable [] milli, int index) {
    return milli == null ? 0 : milli[index];
  }

  synchronized long consumedMilli(String limit) {
    int i = Amounts.requireIndex(limits, limit);
    return chargedMilli(i) + at(unchargedMilli, i) + at(pendingMilli, i);
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
    long pending = Math.addExact(at(pendingMilli, i), deltaTokens * Limit.MILLI);
    long consumed = Math.addExact(chargedMilli(i) + at(unchargedMilli, i), pending);
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
    if (pendingMilli == null) {
      pendingMilli = new long[limits.size()];
    }
    pendingMilli[i] = pending;
  }

  /** Ends the lease well; what is to be written, or null for nothing. */
  synchronized @Nullable Amounts close() {
    if (state != LeaseState.OPEN) {
      return null;
    }
    state = LeaseState.SETTLED;
    if (pendingMilli == null || !charging) {
      return null;
    }
    long[] milli = new long[limits.size()];
    for (int i = 0; i < milli.length; i++) {
      // What was never charged cannot be given back.
      milli[i] = Math.max(pendingMilli[i], -chargedMilli(i));
    }
    return Amounts.ofMilli(limits, milli);
  }

  /** Takes the end back: surely nothing was written, so it can be tried again. */
  synchronized void reopen() {
    state = LeaseState.OPEN;
  }

  /** Takes the lease back; what is to be written, or null for nothing. */
  synchronized @Nullable Amounts cancel() {
    if (state != LeaseState.OPEN) {
      return null;
    }
    state = LeaseState.CANCELLED;
    long[] milli = new long[limits.size()];
    for (int i = 0; i < milli.length; i++) {
      milli[i] = -chargedMilli(i);
    }
    return Amounts.ofMilli(limits, milli);
  }
}
