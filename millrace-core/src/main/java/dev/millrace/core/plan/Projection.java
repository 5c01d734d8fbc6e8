package dev.millrace.core.plan;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.limit.SaturatedMath;
import dev.millrace.core.request.Amounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a bucket can give at one instant, and what is left as demands are taken from it. Works on
 * the caller's limits: where the bucket still has other parameters, the balance is what the old
 * ones earned, clipped to the new ceiling; where it lacks a limit, that limit starts full.
 */
public final class Projection {
  private final BucketState state;
  private final LimitSet limits;
  private final long nowMs;
  private final long earningFromMs;

  /** Whether the bucket has the limits with these parameters. */
  private final boolean covered;

  /** Balance of each limit, the settled and admitted demands taken off. */
  private final long[] balanceMilli;

  /** Made when first needed: most projections end in an answer that takes nothing. */
  private long @Nullable [] settledMilli;

  private long @Nullable [] acquiredMilli;

  /** Limits that an admitted demand named: bit by index. */
  private int named;

  private boolean settles;

  private Projection(
      BucketState state, LimitSet limits, long nowMs, long earningFromMs, boolean covered) {
    this.covered = covered;
    this.state = state;
    this.limits = limits;
    this.nowMs = nowMs;
    this.earningFromMs = earningFromMs;
    this.balanceMilli = new long[limits.size()];
  }

  /**
   * The bucket at {@code nowMs}.
   *
   * @param maxSkewMs a refill timestamp further ahead than this is not believed
   */
  public static Projection of(BucketState state, LimitSet limits, long nowMs, long maxSkewMs) {
    boolean covered = state.covers(limits);
    long earningFromMs = claimedToMs(state, covered, nowMs, maxSkewMs);
    Projection projection = new Projection(state, limits, nowMs, earningFromMs, covered);
    for (int i = 0; i < limits.size(); i++) {
      Limit limit = limits.get(i);
      LimitState stored = state.find(i, limit.name());
      projection.balanceMilli[i] =
          stored == null
              ? limit.burstMilli()
              : Math.min(
                  stored.balanceMilli(state.refilledAtMs(), earningFromMs), limit.burstMilli());
    }
    return projection;
  }

  /**
   * The bucket as it is stored, without what it has earned since: what is left for one who always
   * finds that others have claimed first.
   */
  public static Projection withoutCredit(BucketState state, LimitSet limits, long nowMs) {
    long earningFromMs = Math.max(state.refilledAtMs(), nowMs);
    Projection projection =
        new Projection(state, limits, nowMs, earningFromMs, state.covers(limits));
    for (int i = 0; i < limits.size(); i++) {
      Limit limit = limits.get(i);
      LimitState stored = state.find(i, limit.name());
      projection.balanceMilli[i] =
          Math.min(stored == null ? 0 : stored.tokensMilli(), limit.burstMilli());
    }
    return projection;
  }

  private static long claimedToMs(BucketState state, boolean covered, long nowMs, long maxSkewMs) {
    long refilledAtMs = state.refilledAtMs();
    if (refilledAtMs > SaturatedMath.add(nowMs, maxSkewMs)) {
      return nowMs; // wild: healed, and nothing is earned
    }
    if (nowMs > refilledAtMs) {
      return nowMs;
    }
    // Until the clocks meet a timestamp slightly ahead, nothing is earned. But the lock must move
    // whenever limits change: a writer with an older copy would not notice.
    return covered ? refilledAtMs : refilledAtMs + 1;
  }

  /** Takes what a call turned out to cost; what is given back counts up to the ceiling. */
  public void settle(Amounts amounts) {
    settles = true;
    if (settledMilli == null) {
      settledMilli = new long[limits.size()];
    }
    for (int i = 0; i < limits.size(); i++) {
      long amountMilli = amounts.milli(i);
      settledMilli[i] = SaturatedMath.add(settledMilli[i], amountMilli);
      balanceMilli[i] =
          Math.min(
              SaturatedMath.subtract(balanceMilli[i], amountMilli), limits.get(i).burstMilli());
    }
  }

  /** Whether all of {@code amounts} can be taken now. */
  public boolean fits(Amounts amounts) {
    for (int i = 0; i < limits.size(); i++) {
      if (exceeds(amounts, i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether all of {@code amounts} can be taken now and {@code leave} is left. */
  public boolean fitsLeaving(Amounts amounts, Amounts leave) {
    for (int i = 0; i < limits.size(); i++) {
      if (amounts.isNamed(i) && amounts.milli(i) > balanceMilli[i] - leave.milli(i)) {
        return false;
      }
    }
    return true;
  }

  /** Takes {@code amounts}, which must fit. */
  public void take(Amounts amounts) {
    if (acquiredMilli == null) {
      acquiredMilli = new long[limits.size()];
    }
    for (int i = 0; i < limits.size(); i++) {
      if (amounts.isNamed(i)) {
        named |= 1 << i;
        acquiredMilli[i] += amounts.milli(i); // fits: no more than the balance, so no overflow
        balanceMilli[i] -= amounts.milli(i);
      }
    }
  }

  /** The status of every limit for a demand that does not fit. */
  public Rejection reject(Amounts amounts) {
    return new Rejection(statuses(amounts));
  }

  /** The status of every limit, seen from a demand. */
  public List<LimitStatus> statuses(Amounts amounts) {
    LimitStatus[] statuses = new LimitStatus[limits.size()];
    for (int i = 0; i < statuses.length; i++) {
      boolean exceeded = exceeds(amounts, i);
      statuses[i] =
          new LimitStatus(
              state.key().entityId(),
              state.key().resource(),
              limits.get(i),
              balanceMilli[i],
              amounts.milli(i),
              exceeded,
              exceeded ? retryAfterMs(i, amounts.milli(i)) : 0);
    }
    return List.of(statuses);
  }

  private boolean exceeds(Amounts amounts, int index) {
    return amounts.isNamed(index) && amounts.milli(index) > balanceMilli[index];
  }

  private long retryAfterMs(int index, long amountMilli) {
    Limit limit = limits.get(index);
    if (amountMilli > limit.burstMilli()) {
      return LimitStatus.NEVER;
    }
    long missingMilli = SaturatedMath.subtract(amountMilli, balanceMilli[index]);
    long atMs = limit.refill().earnedAtMs(earningFromMs, missingMilli);
    return SaturatedMath.subtract(atMs, nowMs);
  }

  BucketState state() {
    return state;
  }

  LimitSet limits() {
    return limits;
  }

  long nowMs() {
    return nowMs;
  }

  /** Up to when credit is claimed by a write made now. */
  long refilledAtMs() {
    return earningFromMs;
  }

  long balanceMilli(int index) {
    return balanceMilli[index];
  }

  long settledMilli(int index) {
    return settledMilli == null ? 0 : settledMilli[index];
  }

  long acquiredMilli(int index) {
    return acquiredMilli == null ? 0 : acquiredMilli[index];
  }

  boolean isNamed(int index) {
    return (named & (1 << index)) != 0;
  }

  /** Whether the refill timestamp is further ahead than is believed. */
  boolean isWild() {
    return earningFromMs < state.refilledAtMs();
  }

  /**
   * Whether a write is due although nothing is taken: a timestamp must be healed, or the bucket
   * must take on other limits, because until then it earns at the old rate.
   */
  public boolean needsRepair() {
    return isWild() || !covered;
  }

  /** Whether there is nothing to write. */
  public boolean isEmpty() {
    return named == 0 && !settles && !needsRepair();
  }
}
