package dev.millrace.core.spi.plan;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketExpiry;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns what was decided into a write.
 *
 * <p>Each write demands of the bucket exactly what makes the decision still right when the bucket
 * has changed since it was read:
 *
 * <ul>
 *   <li>The lock on the refill timestamp keeps a stretch of time from being claimed twice.
 *   <li>Writes that consume without claiming, and adjusts, do not move the timestamp, so the lock
 *       does not notice them. The floor under every balance that is consumed does.
 *   <li>A balance that a refund lifted above the ceiling must be clipped before it is spent: the
 *       bound from above.
 *   <li>Credit that was clipped at the ceiling was clipped for the balance as it was read. Were it
 *       lower by now, the clipped credit would be lost, so such a balance must be met exactly.
 *       Where others write too, the copy is milliseconds old and the balance is always a little
 *       lower; there that little is given up, or nobody could claim.
 *   <li>A soft limit never makes a demand: a write must not fail for what is only metered.
 * </ul>
 */
public final class WritePlanner {
  /**
   * How many limits a bucket keeps. Its callers' own are at most {@link LimitSet#MAX_LIMITS}; the
   * others are limits that earlier calls named and that are not full yet. Every write names all of
   * them, and DynamoDB takes an expression of 4 KB.
   */
  public static final int MAX_KEPT_LIMITS = 64;

  private WritePlanner() {}

  /** The write that creates a bucket; {@code view} is of {@link BucketState#full}. */
  public static WritePlan.Create create(BucketView view, String op) {
    return create(view, view.expires(), op);
  }

  /**
   * The write that creates a bucket that may be forgotten again, whatever its stamp: that of a
   * charge that came after the bucket had gone. Should it be there to stay, the next acquire says
   * so.
   */
  public static WritePlan.Create createExpiring(BucketView view, String op) {
    return create(view, /* expires= */ true, op);
  }

  private static WritePlan.Create create(BucketView view, boolean expires, String op) {
    BucketState full = view.state;
    List<LimitState> limits = new ArrayList<>(full.limits().size());
    for (int i = 0; i < full.limits().size(); i++) {
      limits.add(added(view, i));
    }
    return new WritePlan.Create(
        new BucketState(
            full.key(),
            full.refilledAtMs(),
            limits,
            full.division(),
            full.wcuMilli(),
            expires ? BucketExpiry.expiresAtSeconds(view.nowMs, limits) : BucketState.NEVER,
            op,
            view.stamp));
  }

  /** A limit that the bucket did not have: what is taken comes off what it starts with. */
  private static LimitState added(BucketView view, int index) {
    return new LimitState(
        view.each.get(index),
        view.balanceMilli[index],
        SaturatedMath.add(view.acquiredMilli(index), view.settledMilli(index)));
  }

  /**
   * The write that takes what {@code view} has taken.
   *
   * @param contended others write this bucket too: prefer the write that does not fail them
   */
  public static WritePlan write(
      BucketView view, boolean contended, PlanSettings settings, String op) {
    return contended
            && view.state.refilledAtMs() >= view.nowMs - settings.consumeWindowMs()
            && canConsume(view)
        ? consume(view, settings, op)
        : locked(view, contended, op);
  }

  /**
   * Whether the write without the lock can be expected to pass, as far as the balances tell that
   * were last seen. Whether the last claim is recent enough is for the caller to judge.
   */
  public static boolean canConsume(BucketView view) {
    if (view.needsRepair() || view.isDisabled()) {
      return false;
    }
    for (int i = 0; i < view.balanceMilli.length; i++) {
      LimitState stored = view.state.find(i, view.each.get(i).name());
      if (view.isNamed(i) && stored != null && !consumed(view, i).accepts(stored.tokensMilli())) {
        return false;
      }
    }
    return true;
  }

  /** The write that consumes without claiming and without the lock. */
  public static WritePlan.Consume consume(BucketView view, PlanSettings settings, String op) {
    requireCurrent(view);
    List<LimitChange> changes = new ArrayList<>(view.balanceMilli.length);
    for (int i = 0; i < view.balanceMilli.length; i++) {
      if (view.isNamed(i) || view.settledMilli(i) != 0) {
        changes.add(consumed(view, i));
      }
    }
    return new WritePlan.Consume(
        view.state.key(),
        view.nowMs - settings.consumeWindowMs(),
        view.level,
        changes,
        /* addWcuMilli= */ 0,
        expiresAtSeconds(view),
        op);
  }

  private static LimitChange consumed(BucketView view, int index) {
    long settledMilli = view.settledMilli(index);
    long takenMilli = SaturatedMath.add(view.acquiredMilli(index), settledMilli);
    Limit limit = view.each.get(index);
    if (!view.isNamed(index) || limit.soft()) {
      return LimitChange.unconditional(limit.name(), -takenMilli, takenMilli);
    }
    return new LimitChange(
        limit.name(),
        -takenMilli,
        takenMilli,
        takenMilli,
        SaturatedMath.add(view.ceilingMilli(index), settledMilli));
  }

  /**
   * The write that claims the credit of every limit, under the lock.
   *
   * @param contended others write this bucket too
   */
  public static WritePlan.Locked locked(BucketView view, boolean contended, String op) {
    requireCurrent(view);
    boolean aligned = view.isAligned();
    BucketState state = view.state;
    ConfigStamp stamp = state.stamp();
    long refilledAtMs = state.refilledAtMs();
    BucketKey key = state.key();
    List<LimitState> states = state.limits();
    List<LimitChange> changes;
    WritePlan.Parameters parameters = WritePlan.Parameters.UNCHANGED;
    if (aligned) {
      LimitChange[] claims = new LimitChange[states.size()];
      for (int i = 0; i < claims.length; i++) {
        claims[i] = claimed(view, i, states.get(i), contended);
      }
      changes = List.of(claims);
      if (!view.stamp.equals(stamp)) {
        parameters = new WritePlan.Parameters(List.of(), List.of(), List.of(), view.stamp);
      }
    } else {
      changes = new ArrayList<>(states.size());
      parameters = claimAndChange(view, contended, changes);
    }
    return new WritePlan.Locked(
        key,
        refilledAtMs,
        view.level,
        view.earningFromMs,
        changes,
        parameters,
        /* addWcuMilli= */ 0,
        expiresAtSeconds(view),
        op);
  }

  /** The same for a bucket that gets other limits than it has, or keeps some that it has. */
  private static WritePlan.Parameters claimAndChange(
      BucketView view, boolean contended, List<LimitChange> changes) {
    BucketState state = view.state;
    LimitSet limits = view.limits;
    List<Limit> set = new ArrayList<>(0);
    List<WritePlan.Removal> removed = new ArrayList<>(0);
    int known = 0;
    for (LimitState stored : state.limits()) {
      int index = limits.indexOf(stored.name());
      if (index < 0) {
        orphan(view, stored, changes, removed);
      } else {
        known |= 1 << index;
        changes.add(claimed(view, index, stored, contended));
        if (!stored.limit().equals(limits.get(index))) {
          set.add(limits.get(index));
        }
      }
    }
    List<LimitState> added = new ArrayList<>(0);
    for (int i = 0; i < limits.size(); i++) {
      if ((known & (1 << i)) == 0) {
        added.add(added(view, i));
      }
    }
    requireRoom(state, added, removed);
    boolean stays = view.stamp.equals(state.stamp());
    return stays && set.isEmpty() && added.isEmpty() && removed.isEmpty()
        ? WritePlan.Parameters.UNCHANGED
        : new WritePlan.Parameters(set, added, removed, stays ? null : view.stamp);
  }

  private static LimitChange claimed(
      BucketView view, int index, LimitState stored, boolean contended) {
    boolean named = view.isNamed(index);
    long acquiredMilli = view.acquiredMilli(index);
    long settledMilli = view.settledMilli(index);
    long readMilli = stored.tokensMilli();
    Limit limit = view.each.get(index);
    String name = limit.name();
    boolean soft = limit.soft();
    long burstMilli = limit.burstMilli();
    long ceilingMilli = view.level == 1 ? burstMilli : view.share.partOf(burstMilli);
    long creditMilli = view.creditsMilli[index];
    long takenMilli = SaturatedMath.add(acquiredMilli, settledMilli);
    long addMilli = SaturatedMath.subtract(view.balanceMilli[index], readMilli);
    boolean clipped = addMilli != SaturatedMath.subtract(creditMilli, takenMilli);
    if (clipped && !contended) {
      // What is above the ceiling of a soft limit may be spent: it is charged like any other.
      boolean exactly = named && !soft;
      return new LimitChange(
          name, addMilli, takenMilli, readMilli, exactly ? readMilli : LimitChange.NO_CEILING);
    }
    if (soft) {
      return LimitChange.unconditional(name, addMilli, takenMilli);
    }
    if (clipped && named) {
      return new LimitChange(
          name, addMilli, takenMilli, SaturatedMath.subtract(0, addMilli), readMilli);
    }
    if (!named) {
      // What is cut off above a lower ceiling was there when it was read. Were it spent by now, the
      // cut would leave a debt that nobody made.
      boolean cuts = SaturatedMath.add(addMilli, takenMilli) < 0;
      long minMilli =
          cuts ? Math.min(readMilli, SaturatedMath.subtract(0, addMilli)) : LimitChange.NO_FLOOR;
      return new LimitChange(name, addMilli, takenMilli, minMilli, LimitChange.NO_CEILING);
    }
    return new LimitChange(
        name,
        addMilli,
        takenMilli,
        SaturatedMath.subtract(takenMilli, creditMilli),
        SaturatedMath.add(SaturatedMath.subtract(ceilingMilli, creditMilli), settledMilli));
  }

  private static void requireRoom(
      BucketState state, List<LimitState> added, List<WritePlan.Removal> removed) {
    int kept = state.limits().size() - removed.size() + added.size();
    if (!added.isEmpty() && kept > MAX_KEPT_LIMITS) {
      throw new IllegalArgumentException(
          "limit '%s': bucket %s has %d limits already, at most %d fit; it keeps what earlier calls named until it is full, so name the same limits with each call"
              .formatted(added.get(0).name(), state.key(), state.limits().size(), MAX_KEPT_LIMITS));
    }
  }

  /** Who is behind must not write what it believes over what is known by now. */
  private static void requireCurrent(BucketView view) {
    if (view.isOutdated()) {
      throw new IllegalStateException(
          "a plan for " + view.state.key() + ", which is ahead of the caller's limits");
    }
  }

  /**
   * A limit that the bucket has and the caller does not know. When the caller's limits are stored,
   * it was deleted: it goes at once. Limits that come with calls differ from caller to caller: it
   * earns like the others, and goes once it is full; were it removed before, adding it again would
   * fill it at once.
   */
  private static void orphan(
      BucketView view,
      LimitState stored,
      List<LimitChange> changes,
      List<WritePlan.Removal> removed) {
    if (view.stamp.level() != ConfigLevel.CALL) {
      removed.add(new WritePlan.Removal(stored.name(), LimitChange.NO_FLOOR));
      return;
    }
    long refilledAtMs = view.state.refilledAtMs();
    long balanceMilli = stored.balanceMilli(view.share, refilledAtMs, view.earningFromMs);
    if (balanceMilli == stored.ceilingMilli(view.share)) {
      removed.add(new WritePlan.Removal(stored.name(), stored.tokensMilli()));
    } else {
      changes.add(
          LimitChange.unconditional(
              stored.name(), balanceMilli - stored.tokensMilli(), /* addConsumedMilli= */ 0));
    }
  }

  private static long expiresAtSeconds(BucketView view) {
    if (!view.expires()) {
      return BucketState.NEVER;
    }
    LimitSet limits = view.limits;
    long longestFillMs = limits.longestFillMs();
    for (int i = 0; i < view.balanceMilli.length; i++) {
      if (view.balanceMilli[i] < 0) {
        long fillMs = BucketExpiry.timeToFillMs(limits.get(i), view.balanceMilli[i]);
        longestFillMs = Math.max(longestFillMs, fillMs);
      }
    }
    if (!view.isAligned() && view.stamp.level() == ConfigLevel.CALL) {
      for (LimitState orphan : view.state.limits()) {
        if (limits.indexOf(orphan.name()) < 0) {
          // Nobody's limit any more, but its debt is not forgiven.
          long fillMs = BucketExpiry.timeToFillMs(orphan.limit(), orphan.tokensMilli());
          longestFillMs = Math.max(longestFillMs, fillMs);
        }
      }
    }
    return BucketExpiry.expiresAtSeconds(view.nowMs, longestFillMs);
  }
}
