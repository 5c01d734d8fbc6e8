package dev.millrace.core.plan;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.bucket.Share;
import dev.millrace.core.config.ConfigLevel;
import dev.millrace.core.config.ConfigStamp;
import dev.millrace.core.config.Terms;
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
 *
 * <p>What the bucket follows and what the caller knows may differ:
 *
 * <ul>
 *   <li>The bucket follows a later version of any record: {@link #isOutdated}. The caller decides
 *       nothing and writes nothing but settlements, also when it knows a later version of another
 *       record: it must look all of them up.
 *   <li>The caller is newer, and limits, level or switch differ: {@link #needsRepair}. They decide
 *       what a request is answered and how long the bucket lives, so they are put right even when
 *       nothing is taken.
 *   <li>The caller is newer by versions alone: that is bookkeeping. It is written down with the
 *       next write that claims, forces none, and does not keep anyone from consuming without a
 *       claim. Until then a caller that is behind by as much is not told so, but its limits are the
 *       same too.
 *   <li>The bucket names no record at all: {@link #isSilent}. A late charge has made it from what
 *       was looked up long ago. It is put right by a caller that has looked just now; any other one
 *       must do that first, as for a bucket that is not there.
 * </ul>
 */
public final class Projection {
  private final BucketState state;
  private final LimitSet limits;
  private final Share share;
  private final long nowMs;
  private final long earningFromMs;

  /** The stamp of the bucket after a write. */
  private final ConfigStamp stamp;

  /** Whether the bucket follows a later version of any record than the caller knows. */
  private final boolean outdated;

  /** Whether the bucket cannot tell whether the caller is behind. */
  private final boolean silent;

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
      BucketState state, LimitSet limits, ConfigStamp known, long nowMs, long maxSkewMs) {
    this.state = state;
    this.limits = limits;
    this.share = state.share();
    this.outdated = !known.isAtLeast(state.stamp());
    this.stamp = known.over(state.stamp());
    this.silent = state.stamp().isSilentTo(known);
    this.covered = covers(state, limits, stamp.level());
    this.nowMs = nowMs;
    this.earningFromMs = claimedToMs(maxSkewMs);
    this.balanceMilli = new long[limits.size()];
  }

  /**
   * The bucket at {@code nowMs}.
   *
   * @param maxSkewMs a refill timestamp further ahead than this is not believed
   */
  public static Projection of(BucketState state, Terms terms, long nowMs, long maxSkewMs) {
    return of(state, terms.limits(), terms.stamp(), nowMs, maxSkewMs);
  }

  /** The bucket at {@code nowMs}, for limits that came with a call. */
  public static Projection of(BucketState state, LimitSet limits, long nowMs, long maxSkewMs) {
    return of(state, limits, ConfigStamp.CALL, nowMs, maxSkewMs);
  }

  private static Projection of(
      BucketState state, LimitSet limits, ConfigStamp known, long nowMs, long maxSkewMs) {
    Projection projection = new Projection(state, limits, known, nowMs, maxSkewMs);
    for (int i = 0; i < limits.size(); i++) {
      Limit limit = limits.get(i);
      LimitState stored = state.find(i, limit.name());
      projection.balanceMilli[i] =
          stored == null
              ? projection.ceilingMilli(i)
              : Math.min(
                  stored.balanceMilli(
                      projection.share, state.refilledAtMs(), projection.earningFromMs),
                  projection.ceilingMilli(i));
    }
    return projection;
  }

  /**
   * The bucket as it is stored, without what it has earned since: what is left for one who always
   * finds that others have claimed first.
   *
   * @param maxSkewMs a refill timestamp further ahead than this is not believed
   */
  public static Projection withoutCredit(
      BucketState state, Terms terms, long nowMs, long maxSkewMs) {
    LimitSet limits = terms.limits();
    Projection projection = new Projection(state, limits, terms.stamp(), nowMs, maxSkewMs);
    for (int i = 0; i < limits.size(); i++) {
      Limit limit = limits.get(i);
      LimitState stored = state.find(i, limit.name());
      projection.balanceMilli[i] =
          Math.min(stored == null ? 0 : stored.tokensMilli(), projection.ceilingMilli(i));
    }
    return projection;
  }

  /** Stored limits are all there are; those of a call may be among others. */
  private static boolean covers(BucketState state, LimitSet limits, ConfigLevel level) {
    return (level == ConfigLevel.CALL || state.limits().size() == limits.size())
        && state.covers(limits);
  }

  private long claimedToMs(long maxSkewMs) {
    long refilledAtMs = state.refilledAtMs();
    if (refilledAtMs > SaturatedMath.add(nowMs, maxSkewMs)) {
      return nowMs; // wild: healed, and nothing is earned
    }
    if (nowMs > refilledAtMs) {
      return nowMs;
    }
    // Until the clocks meet a timestamp slightly ahead, nothing is earned. But the lock must move
    // whenever limits or the stamp change: a writer with an older copy would not notice.
    return differs() ? refilledAtMs + 1 : refilledAtMs;
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
          Math.min(SaturatedMath.subtract(balanceMilli[i], amountMilli), ceilingMilli(i));
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
      if (amounts.isNamed(i)
          && !limits.get(i).soft()
          && amounts.milli(i) > balanceMilli[i] - leave.milli(i)) {
        return false;
      }
    }
    return true;
  }

  /** Takes {@code amounts}, which must fit; a soft limit goes below zero if need be. */
  public void take(Amounts amounts) {
    if (acquiredMilli == null) {
      acquiredMilli = new long[limits.size()];
    }
    for (int i = 0; i < limits.size(); i++) {
      if (amounts.isNamed(i)) {
        named |= 1 << i;
        acquiredMilli[i] = SaturatedMath.add(acquiredMilli[i], amounts.milli(i));
        balanceMilli[i] = SaturatedMath.subtract(balanceMilli[i], amounts.milli(i));
      }
    }
  }

  /** The status of every limit for a demand that does not fit. */
  public Rejection reject(Amounts amounts) {
    return new Rejection(statuses(amounts));
  }

  /** The status of every limit, seen from a demand. */
  public List<LimitStatus> statuses(Amounts amounts) {
    return Statuses.of(this, amounts, /* admitted= */ false);
  }

  /**
   * The status of every limit, seen from a demand that has passed, for the refusal of others that
   * belong to it: no limit is exceeded, and available is what it found. Where the state has the
   * charge already, {@code settle(amounts.negated())} comes first.
   */
  public List<LimitStatus> statusesIfAdmitted(Amounts amounts) {
    return Statuses.of(this, amounts, /* admitted= */ true);
  }

  boolean exceeds(Amounts amounts, int index) {
    return amounts.isNamed(index)
        && amounts.milli(index) > balanceMilli[index]
        && !limits.get(index).soft();
  }

  BucketState state() {
    return state;
  }

  /** The part of each limit that the shard holds. */
  Share share() {
    return share;
  }

  /** The most that the shard can hold of a limit. */
  long ceilingMilli(int index) {
    return share.partOf(limits.get(index).burstMilli());
  }

  /** Whether the bucket may be forgotten when it is idle. */
  boolean expires() {
    return BucketState.expires(state.division(), stamp);
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

  /** The stamp of the bucket after a write: the one to store. */
  ConfigStamp stamp() {
    return stamp;
  }

  /** Whether the bucket follows a later version of any record than the caller knows. */
  public boolean isOutdated() {
    return outdated;
  }

  /** Whether the bucket cannot tell whether the caller is behind: it names no record. */
  public boolean isSilent() {
    return silent;
  }

  /** Whether acquires must be refused because the bucket is switched off, or is about to be. */
  public boolean isDisabled() {
    return !outdated && stamp.disabled();
  }

  /** Whether a write that claims would change limits or stamp, be it the version alone. */
  public boolean differs() {
    return !outdated && (!covered || !stamp.equals(state.stamp()));
  }

  /**
   * Whether a write is due although nothing is taken: a timestamp must be healed, or the bucket
   * must take on other limits, because until then it earns at the old rate, or another level or
   * switch, or it names no record.
   */
  public boolean needsRepair() {
    return !outdated
        && (isWild()
            || !covered
            || silent
            || stamp.level() != state.stamp().level()
            || stamp.disabled() != state.stamp().disabled());
  }

  /** Whether there is nothing to write. */
  public boolean isEmpty() {
    return named == 0 && !settles && !needsRepair();
  }
}
