package dev.millrace.core.plan;

import dev.millrace.core.bucket.BucketExpiry;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.config.ConfigLevel;
import dev.millrace.core.config.ConfigStamp;
import dev.millrace.core.config.Terms;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.limit.SaturatedMath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
public final class Planner {
  /**
   * How many limits a bucket keeps. Its callers' own are at most {@link LimitSet#MAX_LIMITS}; the
   * others are limits that earlier calls named and that are not full yet. Every write names all of
   * them, and DynamoDB takes an expression of 4 KB.
   */
  public static final int MAX_KEPT_LIMITS = 64;

  private Planner() {}

  /** The write that creates a bucket; {@code projection} is of {@link BucketState#full}. */
  public static WritePlan.Create create(Projection projection, String op) {
    return create(projection, projection.expires(), op);
  }

  /**
   * The write that creates a bucket that may be forgotten again, whatever its stamp: that of a
   * charge that came after the bucket had gone. Should it be there to stay, the next acquire says
   * so.
   */
  public static WritePlan.Create createExpiring(Projection projection, String op) {
    return create(projection, /* expires= */ true, op);
  }

  private static WritePlan.Create create(Projection projection, boolean expires, String op) {
    BucketState full = projection.state();
    List<LimitState> limits = new ArrayList<>(full.limits().size());
    for (int i = 0; i < full.limits().size(); i++) {
      limits.add(after(projection, i, /* consumedBeforeMilli= */ 0));
    }
    return new WritePlan.Create(
        new BucketState(
            full.key(),
            full.refilledAtMs(),
            limits,
            full.division(),
            full.wcuMilli(),
            expires ? BucketExpiry.expiresAtSeconds(projection.nowMs(), limits) : BucketState.NEVER,
            op,
            projection.stamp()));
  }

  /**
   * The write that takes what {@code projection} has taken.
   *
   * @param contended others write this bucket too: prefer the write that does not fail them
   */
  public static WritePlan write(
      Projection projection, boolean contended, PlanSettings settings, String op) {
    boolean fresh =
        projection.state().refilledAtMs() >= projection.nowMs() - settings.consumeWindowMs();
    return contended && fresh && canConsume(projection)
        ? consume(projection, settings, op)
        : locked(projection, contended, op);
  }

  /**
   * Whether the write without the lock can be expected to pass, as far as the balances tell that
   * were last seen. Whether the last claim is recent enough is for the caller to judge.
   */
  public static boolean canConsume(Projection projection) {
    BucketState state = projection.state();
    LimitSet limits = projection.limits();
    if (projection.needsRepair() || projection.isDisabled()) {
      return false;
    }
    for (int i = 0; i < limits.size(); i++) {
      LimitState stored = state.find(i, limits.get(i).name());
      if (projection.isNamed(i)
          && stored != null
          && !LimitChanges.consume(projection, i).accepts(stored.tokensMilli())) {
        return false;
      }
    }
    return true;
  }

  /** The write that consumes without claiming and without the lock. */
  public static WritePlan.Consume consume(Projection projection, PlanSettings settings, String op) {
    requireCurrent(projection);
    List<LimitChange> changes = new ArrayList<>(projection.limits().size());
    for (int i = 0; i < projection.limits().size(); i++) {
      if (projection.isNamed(i) || projection.settledMilli(i) != 0) {
        changes.add(LimitChanges.consume(projection, i));
      }
    }
    return new WritePlan.Consume(
        projection.state().key(),
        projection.nowMs() - settings.consumeWindowMs(),
        projection.share().level(),
        changes,
        /* addWcuMilli= */ 0,
        expiresAtSeconds(projection),
        op);
  }

  /**
   * The write that claims the credit of every limit, under the lock.
   *
   * @param contended others write this bucket too
   */
  public static WritePlan.Locked locked(Projection projection, boolean contended, String op) {
    requireCurrent(projection);
    BucketState state = projection.state();
    LimitSet limits = projection.limits();
    List<LimitChange> changes = new ArrayList<>(state.limits().size());
    List<Limit> set = new ArrayList<>(0);
    List<WritePlan.Removal> removed = new ArrayList<>(0);
    int known = 0;
    for (LimitState stored : state.limits()) {
      int index = limits.indexOf(stored.name());
      if (index < 0) {
        orphan(projection, stored, changes, removed);
      } else {
        known |= 1 << index;
        changes.add(LimitChanges.locked(projection, index, stored, contended));
        if (!stored.limit().equals(limits.get(index))) {
          set.add(limits.get(index));
        }
      }
    }
    List<LimitState> added = new ArrayList<>(0);
    for (int i = 0; i < limits.size(); i++) {
      if ((known & (1 << i)) == 0) {
        added.add(after(projection, i, /* consumedBeforeMilli= */ 0));
      }
    }
    requireRoom(state, added, removed);
    return new WritePlan.Locked(
        state.key(),
        state.refilledAtMs(),
        projection.share().level(),
        projection.refilledAtMs(),
        changes,
        parameters(projection, set, added, removed),
        /* addWcuMilli= */ 0,
        expiresAtSeconds(projection),
        op);
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

  private static WritePlan.Parameters parameters(
      Projection projection,
      List<Limit> set,
      List<LimitState> added,
      List<WritePlan.Removal> removed) {
    ConfigStamp stamp = projection.stamp();
    boolean stays = stamp.equals(projection.state().stamp());
    return stays && set.isEmpty() && added.isEmpty() && removed.isEmpty()
        ? WritePlan.Parameters.UNCHANGED
        : new WritePlan.Parameters(set, added, removed, stays ? null : stamp);
  }

  /** Who is behind must not write what it believes over what is known by now. */
  private static void requireCurrent(Projection projection) {
    if (projection.isOutdated()) {
      throw new IllegalStateException(
          "a plan for " + projection.state().key() + ", which is ahead of the caller's limits");
    }
  }

  /**
   * A limit that the bucket has and the caller does not know. When the caller's limits are stored,
   * it was deleted: it goes at once. Limits that come with calls differ from caller to caller: it
   * earns like the others, and goes once it is full; were it removed before, adding it again would
   * fill it at once.
   */
  private static void orphan(
      Projection projection,
      LimitState stored,
      List<LimitChange> changes,
      List<WritePlan.Removal> removed) {
    if (projection.stamp().level() != ConfigLevel.CALL) {
      removed.add(new WritePlan.Removal(stored.name(), LimitChange.NO_FLOOR));
      return;
    }
    long refilledAtMs = projection.state().refilledAtMs();
    long balanceMilli =
        stored.balanceMilli(projection.share(), refilledAtMs, projection.refilledAtMs());
    if (balanceMilli == stored.ceilingMilli(projection.share())) {
      removed.add(new WritePlan.Removal(stored.name(), stored.tokensMilli()));
    } else {
      changes.add(
          LimitChange.unconditional(
              stored.name(), balanceMilli - stored.tokensMilli(), /* addConsumedMilli= */ 0));
    }
  }

  private static LimitState after(Projection projection, int index, long consumedBeforeMilli) {
    return new LimitState(
        projection.limits().get(index),
        projection.balanceMilli(index),
        SaturatedMath.add(
            consumedBeforeMilli,
            SaturatedMath.add(projection.acquiredMilli(index), projection.settledMilli(index))));
  }

  private static long expiresAtSeconds(Projection projection) {
    if (!projection.expires()) {
      return BucketState.NEVER;
    }
    LimitSet limits = projection.limits();
    long longestFillMs = 0;
    for (int i = 0; i < limits.size(); i++) {
      long fillMs = BucketExpiry.timeToFillMs(limits.get(i), projection.balanceMilli(i));
      longestFillMs = Math.max(longestFillMs, fillMs);
    }
    List<LimitState> stored = projection.state().limits();
    boolean keepsOrphans = projection.stamp().level() == ConfigLevel.CALL;
    for (int i = 0; keepsOrphans && i < stored.size(); i++) {
      LimitState orphan = stored.get(i);
      if (limits.indexOf(orphan.name()) < 0) {
        // Nobody's limit any more, but its debt is not forgiven.
        long fillMs = BucketExpiry.timeToFillMs(orphan.limit(), orphan.tokensMilli());
        longestFillMs = Math.max(longestFillMs, fillMs);
      }
    }
    return BucketExpiry.expiresAtSeconds(projection.nowMs(), longestFillMs);
  }

  /**
   * An operator's write that fills every limit of a bucket to its ceiling: see {@link #reset(
   * BucketState, Set, long, PlanSettings, String)}.
   */
  public static WritePlan.Locked reset(
      BucketState state, long nowMs, PlanSettings settings, String op) {
    return OperatorWrites.reset(state, null, nowMs, settings, op);
  }

  /**
   * An operator's write that fills the named limits to their ceiling; their debt is forgiven. The
   * other limits only earn. What was consumed stays counted, and what is consumed at the same
   * moment is not lost: it is taken from the full balance.
   *
   * @param limits names of limits that the bucket has
   */
  public static WritePlan.Locked reset(
      BucketState state, Set<String> limits, long nowMs, PlanSettings settings, String op) {
    return OperatorWrites.reset(state, limits, nowMs, settings, op);
  }

  /**
   * An operator's write that gives tokens, up to the ceiling. What was consumed stays counted, and
   * what is consumed at the same moment is not lost.
   *
   * @param milli how much, by the name of a limit that the bucket has; not negative
   */
  public static WritePlan.Locked topUp(
      BucketState state, Map<String, Long> milli, long nowMs, PlanSettings settings, String op) {
    return OperatorWrites.topUp(state, milli, nowMs, settings, op);
  }

  /**
   * The write by which a shard takes on {@code terms} with another share of a limit that regions
   * have in common, while tokens come or go along with it.
   *
   * @param moveMilli by the name of a limit: what comes, less than zero for what goes; a balance
   *     that has become too low for that since it was read refuses the write
   */
  public static WritePlan.Locked reshare(
      BucketState state,
      Terms terms,
      Map<String, Long> moveMilli,
      long nowMs,
      PlanSettings settings,
      String op) {
    return ShareWrites.reshare(state, terms, moveMilli, nowMs, settings, op);
  }
}
