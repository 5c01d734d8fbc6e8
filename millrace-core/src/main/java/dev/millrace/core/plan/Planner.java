package dev.millrace.core.plan;

import dev.millrace.core.bucket.BucketExpiry;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.limit.SaturatedMath;
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
 * </ul>
 */
public final class Planner {
  private Planner() {}

  /** The write that creates a bucket; {@code projection} is of {@link BucketState#full}. */
  public static WritePlan.Create create(Projection projection, String op) {
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
            full.shardCount(),
            BucketExpiry.expiresAtSeconds(projection.nowMs(), limits),
            op));
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
    if (projection.needsRepair()) {
      return false;
    }
    for (int i = 0; i < limits.size(); i++) {
      LimitState stored = state.find(limits.get(i).name());
      if (projection.isNamed(i)
          && stored != null
          && !consumeChange(projection, i).accepts(stored.tokensMilli())) {
        return false;
      }
    }
    return true;
  }

  /** The write that consumes without claiming and without the lock. */
  public static WritePlan.Consume consume(Projection projection, PlanSettings settings, String op) {
    List<LimitChange> changes = new ArrayList<>(projection.limits().size());
    for (int i = 0; i < projection.limits().size(); i++) {
      if (projection.isNamed(i) || projection.settledMilli(i) != 0) {
        changes.add(consumeChange(projection, i));
      }
    }
    return new WritePlan.Consume(
        projection.state().key(),
        projection.nowMs() - settings.consumeWindowMs(),
        changes,
        expiresAtSeconds(projection),
        op);
  }

  private static LimitChange consumeChange(Projection projection, int index) {
    long settledMilli = projection.settledMilli(index);
    long takenMilli = SaturatedMath.add(projection.acquiredMilli(index), settledMilli);
    String name = projection.limits().get(index).name();
    if (!projection.isNamed(index)) {
      return LimitChange.unconditional(name, -takenMilli, takenMilli);
    }
    long burstMilli = projection.limits().get(index).burstMilli();
    return new LimitChange(
        name, -takenMilli, takenMilli, takenMilli, SaturatedMath.add(burstMilli, settledMilli));
  }

  /**
   * The write that claims the credit of every limit, under the lock.
   *
   * @param contended others write this bucket too
   */
  public static WritePlan.Locked locked(Projection projection, boolean contended, String op) {
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
        changes.add(lockedChange(projection, index, stored, contended));
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
    return new WritePlan.Locked(
        state.key(),
        state.refilledAtMs(),
        projection.refilledAtMs(),
        changes,
        set.isEmpty() && added.isEmpty() && removed.isEmpty()
            ? WritePlan.Parameters.UNCHANGED
            : new WritePlan.Parameters(set, added, removed),
        expiresAtSeconds(projection),
        op);
  }

  private static LimitChange lockedChange(
      Projection projection, int index, LimitState stored, boolean contended) {
    long readMilli = stored.tokensMilli();
    long creditMilli =
        stored.creditMilli(projection.state().refilledAtMs(), projection.refilledAtMs());
    long settledMilli = projection.settledMilli(index);
    long takenMilli = SaturatedMath.add(projection.acquiredMilli(index), settledMilli);
    long addMilli = SaturatedMath.subtract(projection.balanceMilli(index), readMilli);
    boolean clipped = addMilli != SaturatedMath.subtract(creditMilli, takenMilli);
    boolean named = projection.isNamed(index);
    if (clipped && !contended) {
      return new LimitChange(
          stored.name(),
          addMilli,
          takenMilli,
          readMilli,
          named ? readMilli : LimitChange.NO_CEILING);
    }
    if (!named) {
      return LimitChange.unconditional(stored.name(), addMilli, takenMilli);
    }
    if (clipped) {
      return new LimitChange(
          stored.name(), addMilli, takenMilli, SaturatedMath.subtract(0, addMilli), readMilli);
    }
    long burstMilli = projection.limits().get(index).burstMilli();
    return new LimitChange(
        stored.name(),
        addMilli,
        takenMilli,
        SaturatedMath.subtract(takenMilli, creditMilli),
        SaturatedMath.add(SaturatedMath.subtract(burstMilli, creditMilli), settledMilli));
  }

  /**
   * A limit that the bucket has and the caller does not know. It earns like the others, and goes
   * once it is full: were it removed before, adding it again would fill it at once.
   */
  private static void orphan(
      Projection projection,
      LimitState stored,
      List<LimitChange> changes,
      List<WritePlan.Removal> removed) {
    long refilledAtMs = projection.state().refilledAtMs();
    long balanceMilli = stored.balanceMilli(refilledAtMs, projection.refilledAtMs());
    if (balanceMilli == stored.limit().burstMilli()) {
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
    List<LimitState> after = new ArrayList<>(projection.limits().size());
    for (int i = 0; i < projection.limits().size(); i++) {
      after.add(after(projection, i, 0));
    }
    for (LimitState stored : projection.state().limits()) {
      if (projection.limits().indexOf(stored.name()) < 0) {
        after.add(stored); // nobody's limit any more, but its debt is not forgiven
      }
    }
    return BucketExpiry.expiresAtSeconds(projection.nowMs(), after);
  }
}
