package dev.millrace.core.spi.plan;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketExpiry;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The writes that split a shard in two or bring two together, each pair for one transaction. No
 * token is made by them and none is lost: what one gives up the other takes over, and the time that
 * nobody has claimed yet stays to be claimed once, by each for its own share.
 */
public final class ShardWrites {
  /** What each of the two writes costs: they are part of a transaction. */
  private static final int UNITS = 2;

  private ShardWrites() {}

  /** The shard that the next split of {@code parent} makes. */
  public static BucketKey childOf(BucketState parent) {
    return parent.key().withShard(parent.key().shard() + parent.division().level());
  }

  /** The shard that was split off {@code parent} last; only for one that has split. */
  public static BucketKey lastChildOf(BucketState parent) {
    return parent.key().withShard(parent.key().shard() + parent.division().level() / 2);
  }

  /**
   * The writes that split {@code parent}, its own first. The child takes over the refill timestamp,
   * half of every balance or debt, and the stamp; what was consumed stays counted where it was.
   * Both begin with a full reserved limit: the pressure on either is not known yet.
   *
   * <p>What is consumed without the lock meanwhile comes out of the half that stays. The floor sees
   * to it that the half that goes is there; of a debt the ceiling does.
   *
   * @param count how many shards there should be
   */
  public static List<WritePlan> split(
      BucketState parent, int count, WriteUnits partition, Supplier<String> ops) {
    BucketKey childKey = childOf(parent);
    int level = 2 * parent.division().level();
    ShardShare share = ShardShare.of(childKey.shard(), level);
    List<LimitChange> changes = new ArrayList<>(parent.limits().size());
    List<LimitState> limits = new ArrayList<>(parent.limits().size());
    for (LimitState stored : parent.limits()) {
      // Down, of a debt as well: the parent keeps the odd one, as its share does.
      long movedMilli = Math.min(stored.tokensMilli() / 2, stored.ceilingMilli(share));
      changes.add(
          new LimitChange(
              stored.name(),
              -movedMilli,
              /* addConsumedMilli= */ 0,
              movedMilli > 0 ? movedMilli : LimitChange.NO_FLOOR,
              movedMilli < 0 ? movedMilli : LimitChange.NO_CEILING));
      limits.add(new LimitState(stored.limit(), movedMilli, /* consumedMilli= */ 0));
    }
    long fullMilli = SaturatedMath.add(partition.fullMilli(), WriteUnits.costMilli(UNITS));
    return List.of(
        new WritePlan.Locked(
            parent.key(),
            parent.refilledAtMs(),
            parent.division().level(),
            parent.refilledAtMs(),
            changes,
            WritePlan.Parameters.dividing(parent.division().withLevel(level)),
            SaturatedMath.subtract(fullMilli, parent.wcuMilli()),
            BucketState.NEVER,
            ops.get()),
        new WritePlan.Create(
            new BucketState(
                childKey,
                parent.refilledAtMs(),
                limits,
                Division.of(count, level),
                fullMilli,
                BucketState.NEVER,
                ops.get(),
                parent.stamp())));
  }

  /**
   * The writes that bring {@code child} back into {@code parent}, or null when that cannot be done
   * now: because a timestamp is not believed, or because the child follows a configuration that the
   * parent must be brought to first. Both claim up to the same instant, the parent takes over
   * balance and count of the child, and the child goes, if nobody has written it since. A limit
   * that the parent has let go because it was full comes back when the child still owes.
   */
  public static @Nullable List<WritePlan> merge(
      BucketState parent,
      BucketState child,
      long nowMs,
      PlanSettings settings,
      Supplier<String> ops) {
    long latestMs = Math.max(parent.refilledAtMs(), child.refilledAtMs());
    if (latestMs > SaturatedMath.add(nowMs, settings.maxSkewMs())
        || !parent.stamp().isAtLeast(child.stamp())) {
      return null;
    }
    long claimedToMs = Math.max(nowMs, latestMs);
    List<LimitChange> changes = new ArrayList<>(parent.limits().size());
    List<LimitState> after = new ArrayList<>(parent.limits().size());
    for (LimitState stored : parent.limits()) {
      LimitChange change = taking(parent, stored, child, claimedToMs);
      changes.add(change);
      after.add(
          new LimitState(
              stored.limit(),
              SaturatedMath.add(stored.tokensMilli(), change.addTokensMilli()),
              /* consumedMilli= */ 0));
    }
    List<LimitState> returning = returning(parent, child, claimedToMs);
    after.addAll(returning);
    Division division = parent.division().withLevel(parent.division().level() / 2);
    boolean expires = BucketState.expires(division, parent.stamp());
    WritePlan taking =
        new WritePlan.Locked(
            parent.key(),
            parent.refilledAtMs(),
            parent.division().level(),
            claimedToMs,
            changes,
            new WritePlan.Parameters(List.of(), returning, List.of(), null, division),
            /* addWcuMilli= */ 0,
            expires ? BucketExpiry.expiresAtSeconds(nowMs, after) : BucketState.NEVER,
            ops.get());
    return List.of(
        taking.priced(parent, UNITS, settings.writeUnits()),
        new WritePlan.Remove(child.key(), child.op(), ops.get()));
  }

  private static LimitChange taking(
      BucketState parent, LimitState stored, BucketState child, long claimedToMs) {
    long balanceMilli = stored.balanceMilli(parent.share(), parent.refilledAtMs(), claimedToMs);
    long creditMilli = stored.creditMilli(parent.share(), parent.refilledAtMs(), claimedToMs);
    long earnedMilli = SaturatedMath.subtract(balanceMilli, stored.tokensMilli());
    boolean clipped = earnedMilli != creditMilli;
    LimitState gone = child.find(stored.name());
    return new LimitChange(
        stored.name(),
        SaturatedMath.add(earnedMilli, leavingMilli(child, gone, stored.limit(), claimedToMs)),
        gone == null ? 0 : gone.consumedMilli(),
        // What was clipped was clipped for this balance: of a lower one it would be lost.
        clipped ? stored.tokensMilli() : LimitChange.NO_FLOOR,
        LimitChange.NO_CEILING);
  }

  /**
   * Limits that only the child still has. When limits are stored, they were deleted, and go. Those
   * of calls go from a shard once they are full there, so the parent's share is full.
   */
  private static List<LimitState> returning(
      BucketState parent, BucketState child, long claimedToMs) {
    List<LimitState> returning = new ArrayList<>(0);
    for (LimitState gone : child.limits()) {
      long leavingMilli = gone.balanceMilli(child.share(), child.refilledAtMs(), claimedToMs);
      if (parent.stamp().level() == ConfigLevel.CALL
          && parent.find(gone.name()) == null
          && leavingMilli < gone.ceilingMilli(child.share())) {
        long milli = SaturatedMath.add(gone.ceilingMilli(parent.share()), leavingMilli);
        returning.add(new LimitState(gone.limit(), milli, gone.consumedMilli()));
      }
    }
    return returning;
  }

  /**
   * What the child brings of a limit: what it earned by its own parameters, at most what the
   * parent's allow; all of its share of a limit that it does not have yet.
   */
  private static long leavingMilli(
      BucketState child, @Nullable LimitState gone, Limit limit, long claimedToMs) {
    long ceilingMilli = child.share().partOf(limit.burstMilli());
    return gone == null
        ? ceilingMilli
        : Math.min(
            gone.balanceMilli(child.share(), child.refilledAtMs(), claimedToMs), ceilingMilli);
  }
}
