package dev.millrace.core.spi.plan;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.Rejection;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.EffectiveLimits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A bucket at one instant: its balances with the credit up to that instant, minus what was taken
 * from the view, and the answer of each limit to a request. It covers one shard, which an undivided
 * bucket is too, or all shards of a bucket; then the debt of one shard is paid by the others.
 *
 * <p>It works on the caller's limits: where the bucket still has other parameters, the balance is
 * what the old ones earned, clipped to the new ceiling; a limit that the bucket lacks starts full.
 *
 * <p>The configuration of the bucket and that of the caller may differ:
 *
 * <ul>
 *   <li>The bucket follows a later version of any record: {@link #isOutdated}. The caller decides
 *       nothing, writes nothing but settlements, and must look all records up.
 *   <li>The caller is newer, and limits, level or switch differ: {@link #needsRepair}. They decide
 *       answers and the life of the bucket, so they are corrected even when nothing is taken.
 *   <li>The caller is newer by versions alone. They are written with the next claim, force none,
 *       and do not prevent a write without a claim.
 *   <li>The bucket names no record: {@link #isSilent}. A late charge created it from an old
 *       look-up. A caller that has looked up just now corrects it; any other must look up first, as
 *       for a bucket that does not exist.
 * </ul>
 */
public final class BucketView {
  private static final long[] NONE = {};

  /** The bucket as it is stored; of several shards the first. */
  final BucketState state;

  final LimitSet limits;
  final long nowMs;

  /** The part of each limit that is seen: a shard's own, or all of it. */
  final ShardShare share;

  /** The level of the share; 1 is all of it. */
  final int level;

  /** Up to when credit is claimed by a write made now. */
  final long earningFromMs;

  /** The stamp of the bucket after a write: the one to store. */
  final ConfigStamp stamp;

  /** Balance of each limit, the settled and admitted demands taken off. */
  final long[] balanceMilli;

  /** What each stored limit has earned by {@link #earningFromMs}, before it is clipped. */
  final long[] creditsMilli;

  /** Each shard by itself when all of them are seen; empty when one is. */
  private final List<BucketView> shards;

  /** The limits by index. */
  final List<Limit> each;

  private final boolean withoutCredit;
  private final boolean outdated;
  private final boolean silent;
  private final boolean disabled;
  private final boolean differs;
  private final boolean needsRepair;

  /**
   * Whether the bucket has the caller's limits and no others, so that their indexes are its own.
   */
  private boolean aligned;

  /** Whether the bucket has the limits with these parameters. */
  private boolean covered;

  /** Made when first needed: most views end in an answer that takes nothing. */
  private long @Nullable [] settledMilli;

  private long @Nullable [] acquiredMilli;

  /** Limits that an admitted demand named: bit by index. */
  private int named;

  private BucketView(
      BucketState state, EffectiveLimits terms, long nowMs, long maxSkewMs, boolean withoutCredit) {
    ConfigStamp known = terms.stamp();
    this.state = state;
    this.limits = terms.limits();
    this.nowMs = nowMs;
    this.withoutCredit = withoutCredit;
    this.shards = List.of();
    this.each = limits.asList();
    this.balanceMilli = new long[each.size()];
    this.creditsMilli = new long[balanceMilli.length];
    this.share = state.share();
    this.level = state.division().level();
    ConfigStamp stored = state.stamp();
    long refilledAtMs = state.refilledAtMs();
    boolean same = known.equals(stored);
    this.outdated = !same && !known.isAtLeast(stored);
    this.stamp = same ? stored : known.over(stored);
    this.silent = !same && stored.isSilentTo(known);
    this.disabled = !outdated && stamp.disabled();
    boolean restamped =
        !same && (stamp.level() != stored.level() || stamp.disabled() != stored.disabled());

    boolean wild = refilledAtMs > nowMs && refilledAtMs > SaturatedMath.add(nowMs, maxSkewMs);
    long claimedToMs = wild ? nowMs : Math.max(nowMs, refilledAtMs); // wild: healed, earns nothing
    earn(refilledAtMs, claimedToMs);
    this.differs = !outdated && (!covered || (!same && !stamp.equals(stored)));
    this.needsRepair = !outdated && (wild || !covered || silent || restamped);
    if (claimedToMs == refilledAtMs && differs) {
      // Until the clocks meet a timestamp slightly ahead, nothing is earned. But the lock must move
      // whenever limits or the stamp change: a writer with an older copy would not notice.
      claimedToMs = refilledAtMs + 1;
      earn(refilledAtMs, claimedToMs);
    }
    this.earningFromMs = claimedToMs;
  }

  private BucketView(List<BucketView> shards) {
    BucketView first = shards.get(0);
    this.shards = shards;
    this.state = first.state;
    this.limits = first.limits;
    this.each = first.each;
    this.nowMs = first.nowMs;
    this.share = ShardShare.WHOLE;
    this.level = 1;
    this.earningFromMs = nowMs;
    this.stamp = first.stamp;
    this.silent = false;
    this.withoutCredit = false;
    this.balanceMilli = new long[each.size()];
    this.creditsMilli = NONE;
    boolean anyOutdated = false;
    boolean anyDisabled = false;
    boolean anyDiffers = false;
    boolean anyNeedsRepair = false;
    for (BucketView shard : shards) {
      anyOutdated |= shard.outdated;
      anyDisabled |= shard.disabled;
      anyDiffers |= shard.differs;
      anyNeedsRepair |= shard.needsRepair;
      for (int i = 0; i < balanceMilli.length; i++) {
        balanceMilli[i] = SaturatedMath.add(balanceMilli[i], shard.balanceMilli[i]);
      }
    }
    this.outdated = anyOutdated;
    this.disabled = anyDisabled;
    this.differs = anyDiffers;
    this.needsRepair = anyNeedsRepair;
  }

  /**
   * One shard at {@code nowMs}.
   *
   * @param maxSkewMs a refill timestamp further ahead than this is not believed
   */
  public static BucketView of(
      BucketState state, EffectiveLimits terms, long nowMs, long maxSkewMs) {
    return new BucketView(state, terms, nowMs, maxSkewMs, /* withoutCredit= */ false);
  }

  /** One shard at {@code nowMs}, for limits that came with a call. */
  public static BucketView of(BucketState state, LimitSet limits, long nowMs, long maxSkewMs) {
    return of(state, EffectiveLimits.ofCall(limits), nowMs, maxSkewMs);
  }

  /**
   * One shard as it is stored, without what it has earned since: what is left for one who always
   * finds that others have claimed first.
   *
   * @param maxSkewMs a refill timestamp further ahead than this is not believed
   */
  public static BucketView withoutCredit(
      BucketState state, EffectiveLimits terms, long nowMs, long maxSkewMs) {
    return new BucketView(state, terms, nowMs, maxSkewMs, /* withoutCredit= */ true);
  }

  /**
   * All shards at {@code nowMs}; nothing is taken from such a view.
   *
   * @param shards all of them, at least one
   * @param maxSkewMs a refill timestamp further ahead than this is not believed
   */
  public static BucketView ofShards(
      List<BucketState> shards, EffectiveLimits terms, long nowMs, long maxSkewMs) {
    if (shards.isEmpty()) {
      throw new IllegalArgumentException("a bucket has at least one shard");
    }
    return new BucketView(
        shards.stream().map(shard -> of(shard, terms, nowMs, maxSkewMs)).toList());
  }

  /** Reckons the balances of a shard that has claimed its credit up to {@code toMs}. */
  private void earn(long fromMs, long toMs) {
    List<LimitState> states = state.limits();
    aligned = states.size() == balanceMilli.length;
    // Stored limits are all there are; those of a call may be among others.
    covered = aligned || stamp.level() == ConfigLevel.CALL;
    for (int i = 0; i < balanceMilli.length; i++) {
      Limit limit = each.get(i);
      LimitState stored = i < states.size() ? states.get(i) : null;
      Limit old = stored == null ? null : stored.limit();
      long tokensMilli = stored == null ? 0 : stored.tokensMilli();
      if (old == null || !old.equals(limit)) {
        stored = state.find(limit.name());
        old = stored == null ? null : stored.limit();
        tokensMilli = stored == null ? 0 : stored.tokensMilli();
        aligned = false;
        covered &= limit.equals(old);
      }
      if (withoutCredit) {
        balanceMilli[i] = Math.min(tokensMilli, ceilingMilli(i));
      } else if (old == null) {
        balanceMilli[i] = ceilingMilli(i);
      } else {
        long burstMilli = Math.min(old.burstMilli(), limit.burstMilli());
        Refill refill = old.refill();
        long creditMilli =
            level == 1 ? refill.creditMilli(fromMs, toMs) : share.creditMilli(refill, fromMs, toMs);
        long ceilingMilli = level == 1 ? burstMilli : share.partOf(burstMilli);
        creditsMilli[i] = creditMilli;
        balanceMilli[i] = Math.min(SaturatedMath.add(tokensMilli, creditMilli), ceilingMilli);
      }
    }
  }

  /** Takes what a call turned out to cost; what is given back counts up to the ceiling. */
  public void settle(Amounts amounts) {
    if (settledMilli == null) {
      settledMilli = new long[balanceMilli.length];
    }
    for (int i = 0; i < balanceMilli.length; i++) {
      long amountMilli = amounts.milli(i);
      settledMilli[i] = SaturatedMath.add(settledMilli[i], amountMilli);
      balanceMilli[i] =
          Math.min(SaturatedMath.subtract(balanceMilli[i], amountMilli), ceilingMilli(i));
    }
  }

  /** Takes {@code amounts}, which must fit; a soft limit goes below zero if need be. */
  public void take(Amounts amounts) {
    if (acquiredMilli == null) {
      acquiredMilli = new long[balanceMilli.length];
    }
    named |= amounts.take(balanceMilli, acquiredMilli);
  }

  /** Whether all of {@code amounts} can be taken now. */
  public boolean fits(Amounts amounts) {
    for (int i = 0; i < balanceMilli.length; i++) {
      if (amounts.isNamed(i) && amounts.milli(i) > balanceMilli[i] && !each.get(i).soft()) {
        return false;
      }
    }
    return true;
  }

  /** Whether all of {@code amounts} can be taken now and {@code leave} is left. */
  public boolean fitsLeaving(Amounts amounts, Amounts leave) {
    for (int i = 0; i < balanceMilli.length; i++) {
      if (amounts.isNamed(i)
          && !each.get(i).soft()
          && amounts.milli(i) > balanceMilli[i] - leave.milli(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether one of the shards holds {@code amounts} by itself. */
  public boolean fitsInOne(Amounts amounts) {
    return shards.stream().anyMatch(shard -> shard.fits(amounts));
  }

  /** The refusal of a demand that does not fit. */
  public Rejection reject(Amounts amounts) {
    return new Rejection(statuses(amounts));
  }

  /** The status of every limit, seen from a demand. */
  public List<LimitStatus> statuses(Amounts amounts) {
    return statuses(amounts, /* admitted= */ false);
  }

  /**
   * The status of every limit, seen from a demand that has passed, for the refusal of others that
   * belong to it: no limit is exceeded, and available is what it found. Where the state has the
   * charge already, {@code settle(amounts.negated())} comes first.
   */
  public List<LimitStatus> statusesIfAdmitted(Amounts amounts) {
    return statuses(amounts, /* admitted= */ true);
  }

  private List<LimitStatus> statuses(Amounts amounts, boolean admitted) {
    BucketKey key = state.key();
    if (balanceMilli.length <= 2) { // no array: refusals are made millions of times a second
      LimitStatus first = status(key, 0, amounts, admitted);
      return balanceMilli.length == 1
          ? List.of(first)
          : List.of(first, status(key, 1, amounts, admitted));
    }
    LimitStatus[] statuses = new LimitStatus[balanceMilli.length];
    for (int i = 0; i < statuses.length; i++) {
      statuses[i] = status(key, i, amounts, admitted);
    }
    return List.of(statuses);
  }

  private LimitStatus status(BucketKey key, int index, Amounts amounts, boolean admitted) {
    Limit limit = each.get(index);
    long amountMilli = amounts.milli(index);
    boolean exceeded =
        !admitted && amounts.isNamed(index) && amountMilli > balanceMilli[index] && !limit.soft();
    return new LimitStatus(
        key.entityId(),
        key.resource(),
        limit,
        balanceMilli[index],
        amountMilli,
        exceeded,
        exceeded ? retryAfterMs(index, amountMilli) : 0);
  }

  private long retryAfterMs(int index, long amountMilli) {
    Limit limit = each.get(index);
    if (amountMilli > limit.burstMilli()) {
      return LimitStatus.NEVER;
    }
    if (!shards.isEmpty()) {
      return gatheredAfterMs(index, amountMilli);
    }
    long missingMilli = SaturatedMath.subtract(amountMilli, balanceMilli[index]);
    long atMs =
        level == 1
            ? limit.refill().earnedAtMs(earningFromMs, missingMilli)
            : share.earnedAtMs(limit.refill(), earningFromMs, missingMilli);
    return SaturatedMath.subtract(atMs, nowMs);
  }

  /** How long until all shards together hold so much, each of them at most its own ceiling. */
  private long gatheredAfterMs(int index, long amountMilli) {
    long enoughMs = nowMs; // by then all are full
    for (BucketView shard : shards) {
      long missingMilli =
          SaturatedMath.subtract(shard.ceilingMilli(index), shard.balanceMilli[index]);
      long fullAtMs =
          shard.share.earnedAtMs(each.get(index).refill(), shard.earningFromMs, missingMilli);
      enoughMs = Math.max(enoughMs, fullAtMs);
    }
    long tooEarlyMs = nowMs;
    while (enoughMs - tooEarlyMs > 1) { // ends: the distance halves
      long middleMs = tooEarlyMs + (enoughMs - tooEarlyMs) / 2;
      if (gatheredMilli(index, middleMs) >= amountMilli) {
        enoughMs = middleMs;
      } else {
        tooEarlyMs = middleMs;
      }
    }
    return SaturatedMath.subtract(enoughMs, nowMs);
  }

  private long gatheredMilli(int index, long atMs) {
    long milli = 0;
    for (BucketView shard : shards) {
      long earnedMilli =
          shard.share.creditMilli(each.get(index).refill(), shard.earningFromMs, atMs);
      long heldMilli = SaturatedMath.add(shard.balanceMilli[index], earnedMilli);
      milli = SaturatedMath.add(milli, Math.min(heldMilli, shard.ceilingMilli(index)));
    }
    return milli;
  }

  /**
   * How long until one of the shards holds {@code amounts} by itself: 0 when one does, {@link
   * LimitStatus#NEVER} when none ever will.
   */
  public long untilOneFitsMs(Amounts amounts) {
    long leastMs = LimitStatus.NEVER;
    for (BucketView shard : shards) {
      if (shard.fits(amounts)) {
        return 0;
      }
      if (shard.isWithinCeilings(amounts)) {
        leastMs = Math.min(leastMs, shard.reject(amounts).retryAfterMs());
      }
    }
    return leastMs;
  }

  private boolean isWithinCeilings(Amounts amounts) {
    for (int i = 0; i < balanceMilli.length; i++) {
      if (!each.get(i).soft() && amounts.milli(i) > ceilingMilli(i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The refusal of a demand that fits, but not into as many shards as it may be taken from: the
   * limits of which those hold too little, or all when it is their combination.
   */
  public Rejection rejectWithin(Amounts amounts, int maxShards) {
    List<LimitStatus> all = statuses(amounts);
    long[] missingMilli = new long[balanceMilli.length];
    boolean any = false;
    for (int i = 0; i < missingMilli.length; i++) {
      missingMilli[i] = amounts.milli(i) - reachableMilli(i, maxShards);
      any |= isHard(amounts, i) && missingMilli[i] > 0;
    }
    List<LimitStatus> statuses = new ArrayList<>(all.size());
    for (int i = 0; i < missingMilli.length; i++) {
      LimitStatus status = all.get(i);
      boolean exceeded = isHard(amounts, i) && (!any || missingMilli[i] > 0);
      long atMs = each.get(i).refill().earnedAtMs(nowMs, Math.max(1, missingMilli[i]));
      statuses.add(
          new LimitStatus(
              status.entityId(),
              status.resource(),
              status.limit(),
              status.availableMilli(),
              status.requestedMilli(),
              exceeded,
              exceeded ? Math.max(1, SaturatedMath.subtract(atMs, nowMs)) : 0));
    }
    return new Rejection(statuses);
  }

  private boolean isHard(Amounts amounts, int index) {
    return amounts.milli(index) > 0 && !each.get(index).soft();
  }

  private long reachableMilli(int index, int maxShards) {
    return shards.stream()
        .map(shard -> Math.max(0, shard.balanceMilli[index]))
        .sorted(Comparator.reverseOrder())
        .limit(maxShards)
        .reduce(0L, SaturatedMath::add);
  }

  /** What a request takes from one of the shards. */
  public record Part(BucketState shard, Amounts amounts) {}

  /**
   * Takes {@code amounts} from as few shards as can be found simply: those first that hold most of
   * it. Null when so many do not suffice.
   *
   * @param maxShards most shards to take from
   */
  public @Nullable List<Part> choose(Amounts amounts, int maxShards) {
    List<BucketView> order = new ArrayList<>(shards);
    order.sort(Comparator.comparingDouble((BucketView shard) -> -shard.portion(amounts)));
    long[] missing = new long[balanceMilli.length];
    for (int i = 0; i < missing.length; i++) {
      missing[i] = amounts.milli(i);
    }
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < Math.min(maxShards, order.size()) && !isZero(missing); i++) {
      BucketView shard = order.get(i);
      long[] taken = shard.takeOf(missing);
      if (!isZero(taken)) {
        parts.add(new Part(shard.state, Amounts.ofMilli(limits, taken)));
      }
    }
    return isZero(missing) ? parts : null;
  }

  /** How much of a demand a shard could give: of the limit that it has least of. */
  private double portion(Amounts amounts) {
    double least = 1;
    for (int i = 0; i < balanceMilli.length; i++) {
      if (isHard(amounts, i)) {
        least = Math.min(least, (double) balanceMilli[i] / amounts.milli(i));
      }
    }
    return least;
  }

  private long[] takeOf(long[] missing) {
    long[] taken = new long[missing.length];
    for (int i = 0; i < missing.length; i++) {
      long thereMilli = each.get(i).soft() ? missing[i] : Math.max(0, balanceMilli[i]);
      taken[i] = Math.min(missing[i], thereMilli);
      missing[i] -= taken[i];
    }
    return taken;
  }

  private static boolean isZero(long[] milli) {
    return LongStream.of(milli).allMatch(each -> each == 0);
  }

  /** The most that can be held of a limit. */
  long ceilingMilli(int index) {
    long burstMilli = each.get(index).burstMilli();
    return level == 1 ? burstMilli : share.partOf(burstMilli);
  }

  /** What is held of the limit at {@code index}. */
  public long balanceMilli(int index) {
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

  /** Whether the bucket may be forgotten when it is idle. */
  boolean expires() {
    return BucketState.expires(state.division(), stamp);
  }

  boolean isAligned() {
    return aligned;
  }

  /** Whether it was made by {@link #withoutCredit}. */
  public boolean isWithoutCredit() {
    return withoutCredit;
  }

  /** Whether the bucket follows a later version of any record than the caller knows. */
  public boolean isOutdated() {
    return outdated;
  }

  /**
   * What the shards follow that the caller does not know: the latest version of every record, and
   * switched off if one of those shards is. Null when the caller knows all.
   */
  public @Nullable ConfigStamp ahead() {
    ConfigStamp ahead = outdated && shards.isEmpty() ? state.stamp() : null;
    for (BucketView shard : shards) {
      if (shard.outdated) {
        ConfigStamp own = shard.state.stamp();
        ahead = ahead == null ? own : ahead.with(own);
      }
    }
    return ahead;
  }

  /** Whether the bucket cannot tell whether the caller is behind: it names no record. */
  public boolean isSilent() {
    return silent;
  }

  /** Whether acquires must be refused because the bucket is switched off, or is about to be. */
  public boolean isDisabled() {
    return disabled;
  }

  /** Whether a write that claims would change limits or stamp, be it the version alone. */
  public boolean differs() {
    return differs;
  }

  /**
   * Whether a write is due although nothing is taken: a timestamp must be healed, or the bucket
   * must take on other limits, because until then it earns at the old rate, or another level or
   * switch, or it names no record.
   */
  public boolean needsRepair() {
    return needsRepair;
  }

  /** Whether there is nothing to write. */
  public boolean isEmpty() {
    return named == 0 && settledMilli == null && !needsRepair;
  }
}
