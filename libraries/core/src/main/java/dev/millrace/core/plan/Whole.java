package dev.millrace.core.plan;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.config.ConfigStamp;
import dev.millrace.core.config.Terms;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.limit.SaturatedMath;
import dev.millrace.core.request.Amounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All shards of a bucket at one instant, as the one bucket that they are to those who use it. What
 * one shard owes the others pay for: together they hold what an undivided bucket would hold.
 */
public final class Whole {
  private final List<BucketState> shards;
  private final List<Projection> projections;
  private final LimitSet limits;
  private final long nowMs;

  private Whole(List<BucketState> shards, LimitSet limits, List<Projection> projections, long now) {
    this.shards = shards;
    this.limits = limits;
    this.projections = projections;
    this.nowMs = now;
  }

  /**
   * The bucket at {@code nowMs}.
   *
   * @param shards all of them, at least one
   * @param maxSkewMs a refill timestamp further ahead than this is not believed
   */
  public static Whole of(List<BucketState> shards, Terms terms, long nowMs, long maxSkewMs) {
    if (shards.isEmpty()) {
      throw new IllegalArgumentException("a bucket has at least one shard");
    }
    List<Projection> projections = new ArrayList<>(shards.size());
    for (BucketState shard : shards) {
      projections.add(Projection.of(shard, terms, nowMs, maxSkewMs));
    }
    return new Whole(List.copyOf(shards), terms.limits(), projections, nowMs);
  }

  /**
   * What the shards follow that the caller does not know: the latest version of every record, and
   * switched off if one of those shards is. Null when the caller knows all.
   */
  public @Nullable ConfigStamp ahead() {
    ConfigStamp ahead = null;
    for (int i = 0; i < shards.size(); i++) {
      if (projections.get(i).isOutdated()) {
        ConfigStamp stamp = shards.get(i).stamp();
        ahead = ahead == null ? stamp : ahead.with(stamp);
      }
    }
    return ahead;
  }

  /** Whether acquires must be refused because a shard is switched off, or is about to be. */
  public boolean isDisabled() {
    return projections.stream().anyMatch(Projection::isDisabled);
  }

  /** Whether a write is due although nothing is taken: see {@link Projection#needsRepair}. */
  public boolean needsRepair() {
    return projections.stream().anyMatch(Projection::needsRepair);
  }

  /** The status of every limit, seen from a demand that has passed: none is exceeded. */
  public List<LimitStatus> statusesIfAdmitted(Amounts amounts) {
    BucketKey key = shards.get(0).key();
    List<LimitStatus> statuses = new ArrayList<>(limits.size());
    for (int i = 0; i < limits.size(); i++) {
      statuses.add(
          new LimitStatus(
              key.entityId(),
              key.resource(),
              limits.get(i),
              balanceMilli(i),
              amounts.milli(i),
              /* exceeded= */ false,
              /* retryAfterMs= */ 0));
    }
    return statuses;
  }

  /** What all shards together hold of the limit at {@code index}. */
  public long balanceMilli(int index) {
    long milli = 0;
    for (Projection projection : projections) {
      milli = SaturatedMath.add(milli, projection.balanceMilli(index));
    }
    return milli;
  }

  /** Whether all shards together hold {@code amounts}. */
  public boolean fits(Amounts amounts) {
    for (int i = 0; i < limits.size(); i++) {
      if (exceeds(amounts, i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether one of the shards holds {@code amounts} by itself. */
  public boolean fitsInOne(Amounts amounts) {
    return projections.stream().anyMatch(projection -> projection.fits(amounts));
  }

  /**
   * How long until one of the shards holds {@code amounts} by itself: 0 when one does, {@link
   * LimitStatus#NEVER} when none ever will.
   */
  public long untilOneFitsMs(Amounts amounts) {
    long leastMs = LimitStatus.NEVER;
    for (Projection shard : projections) {
      if (shard.fits(amounts)) {
        return 0;
      }
      if (isWithinCeilings(shard, amounts)) {
        leastMs = Math.min(leastMs, shard.reject(amounts).retryAfterMs());
      }
    }
    return leastMs;
  }

  private boolean isWithinCeilings(Projection shard, Amounts amounts) {
    for (int i = 0; i < limits.size(); i++) {
      if (!limits.get(i).soft() && amounts.milli(i) > shard.ceilingMilli(i)) {
        return false;
      }
    }
    return true;
  }

  private boolean exceeds(Amounts amounts, int index) {
    return amounts.isNamed(index)
        && !limits.get(index).soft()
        && amounts.milli(index) > balanceMilli(index);
  }

  /** The status of every limit, seen from a demand. */
  public List<LimitStatus> statuses(Amounts amounts) {
    BucketKey key = shards.get(0).key();
    List<LimitStatus> statuses = new ArrayList<>(limits.size());
    for (int i = 0; i < limits.size(); i++) {
      boolean exceeded = exceeds(amounts, i);
      statuses.add(
          new LimitStatus(
              key.entityId(),
              key.resource(),
              limits.get(i),
              balanceMilli(i),
              amounts.milli(i),
              exceeded,
              exceeded ? retryAfterMs(i, amounts.milli(i)) : 0));
    }
    return statuses;
  }

  /**
   * The status of every limit for a demand that fits, but not into as many shards as it may be
   * taken from: the limits of which those hold too little, or all when it is their combination.
   */
  public List<LimitStatus> statusesWithin(Amounts amounts, int maxShards) {
    List<LimitStatus> all = statuses(amounts);
    boolean[] tooLittle = new boolean[limits.size()];
    boolean any = false;
    for (int i = 0; i < tooLittle.length; i++) {
      tooLittle[i] =
          amounts.milli(i) > 0
              && !limits.get(i).soft()
              && amounts.milli(i) > reachableMilli(i, maxShards);
      any |= tooLittle[i];
    }
    List<LimitStatus> statuses = new ArrayList<>(all.size());
    for (int i = 0; i < tooLittle.length; i++) {
      LimitStatus status = all.get(i);
      boolean exceeded = any ? tooLittle[i] : amounts.milli(i) > 0 && !limits.get(i).soft();
      long missingMilli = amounts.milli(i) - reachableMilli(i, maxShards);
      long atMs = limits.get(i).refill().earnedAtMs(nowMs, Math.max(1, missingMilli));
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
    return statuses;
  }

  private long reachableMilli(int index, int maxShards) {
    return projections.stream()
        .map(shard -> Math.max(0, shard.balanceMilli(index)))
        .sorted(Comparator.reverseOrder())
        .limit(maxShards)
        .reduce(0L, SaturatedMath::add);
  }

  /** How long until all shards together hold so much, each of them at most its own ceiling. */
  private long retryAfterMs(int index, long amountMilli) {
    Limit limit = limits.get(index);
    if (amountMilli > limit.burstMilli()) {
      return LimitStatus.NEVER;
    }
    long enoughMs = nowMs; // by then all are full
    for (Projection shard : projections) {
      long missingMilli =
          SaturatedMath.subtract(shard.ceilingMilli(index), shard.balanceMilli(index));
      long fullAtMs = shard.share().earnedAtMs(limit.refill(), shard.refilledAtMs(), missingMilli);
      enoughMs = Math.max(enoughMs, fullAtMs);
    }
    long tooEarlyMs = nowMs;
    while (enoughMs - tooEarlyMs > 1) { // ends: the distance halves
      long middleMs = tooEarlyMs + (enoughMs - tooEarlyMs) / 2;
      if (balanceAtMilli(index, middleMs) >= amountMilli) {
        enoughMs = middleMs;
      } else {
        tooEarlyMs = middleMs;
      }
    }
    return SaturatedMath.subtract(enoughMs, nowMs);
  }

  private long balanceAtMilli(int index, long atMs) {
    Limit limit = limits.get(index);
    long milli = 0;
    for (Projection shard : projections) {
      long earnedMilli = shard.share().creditMilli(limit.refill(), shard.refilledAtMs(), atMs);
      milli =
          SaturatedMath.add(
              milli,
              Math.min(
                  SaturatedMath.add(shard.balanceMilli(index), earnedMilli),
                  shard.ceilingMilli(index)));
    }
    return milli;
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
    List<Integer> order = new ArrayList<>(shards.size());
    for (int i = 0; i < shards.size(); i++) {
      order.add(i);
    }
    order.sort(Comparator.comparingDouble((Integer i) -> -portion(projections.get(i), amounts)));
    long[] missing = new long[limits.size()];
    for (int i = 0; i < missing.length; i++) {
      missing[i] = amounts.milli(i);
    }
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < Math.min(maxShards, order.size()) && !isZero(missing); i++) {
      int shard = order.get(i);
      long[] taken = take(projections.get(shard), missing);
      if (!isZero(taken)) {
        parts.add(new Part(shards.get(shard), Amounts.ofMilli(limits, taken)));
      }
    }
    return isZero(missing) ? parts : null;
  }

  /** How much of a demand a shard could give: of the limit that it has least of. */
  private double portion(Projection shard, Amounts amounts) {
    double least = 1;
    for (int i = 0; i < limits.size(); i++) {
      if (amounts.milli(i) > 0 && !limits.get(i).soft()) {
        least = Math.min(least, (double) shard.balanceMilli(i) / amounts.milli(i));
      }
    }
    return least;
  }

  private long[] take(Projection shard, long[] missing) {
    long[] taken = new long[missing.length];
    for (int i = 0; i < missing.length; i++) {
      long thereMilli = limits.get(i).soft() ? missing[i] : Math.max(0, shard.balanceMilli(i));
      taken[i] = Math.min(missing[i], thereMilli);
      missing[i] -= taken[i];
    }
    return taken;
  }

  private static boolean isZero(long[] milli) {
    for (long each : milli) {
      if (each != 0) {
        return false;
      }
    }
    return true;
  }

  /** What all shards together have consumed of the limit called {@code name}. */
  public long consumedMilli(String name) {
    long milli = 0;
    for (BucketState shard : shards) {
      LimitState state = shard.find(name);
      milli = SaturatedMath.add(milli, state == null ? 0 : state.consumedMilli());
    }
    return milli;
  }
}
