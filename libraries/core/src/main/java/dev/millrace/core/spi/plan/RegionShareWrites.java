package dev.millrace.core.spi.plan;

import dev.millrace.Limit;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketExpiry;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The write by which a region's bucket takes on another share of a limit, and gives or gets tokens
 * along with it. What was earned until now was earned at the old rate; then the tokens move; then
 * the new ceiling holds.
 */
public final class RegionShareWrites {
  private RegionShareWrites() {}

  /**
   * The write by which a shard takes on {@code terms} with another share of a limit that regions
   * have in common, while tokens come or go along with it.
   *
   * @param moveMilli by the name of a limit: what comes, less than zero for what goes; a balance
   *     that has become too low for that since it was read refuses the write
   */
  public static WritePlan.Locked reshare(
      BucketState state,
      EffectiveLimits terms,
      Map<String, Long> moveMilli,
      long nowMs,
      PlanSettings settings,
      String op) {
    BucketView view = BucketView.of(state, terms, nowMs, settings.maxSkewMs());
    WritePlan.Locked plain = WritePlanner.locked(view, /* contended= */ true, op);
    List<LimitChange> changes = new ArrayList<>(plain.changes().size());
    List<LimitState> after = new ArrayList<>(plain.changes().size());
    for (LimitChange change : plain.changes()) {
      int index = terms.limits().indexOf(change.name());
      LimitState stored = state.find(change.name());
      if (index < 0 || stored == null) {
        changes.add(change);
        continue;
      }
      Limit limit = terms.limits().get(index);
      long earnedMilli =
          stored.balanceMilli(state.share(), state.refilledAtMs(), plain.refilledAtMs());
      long movedMilli = SaturatedMath.add(earnedMilli, moveMilli.getOrDefault(limit.name(), 0L));
      long afterMilli = Math.min(movedMilli, state.share().partOf(limit.burstMilli()));
      changes.add(change(stored, SaturatedMath.subtract(afterMilli, stored.tokensMilli())));
      after.add(new LimitState(limit, afterMilli, stored.consumedMilli()));
    }
    return new WritePlan.Locked(
        plain.key(),
        plain.expectedRefilledAtMs(),
        plain.level(),
        plain.refilledAtMs(),
        changes,
        plain.parameters(),
        plain.addWcuMilli(),
        view.expires() ? BucketExpiry.expiresAtSeconds(nowMs, after) : BucketState.NEVER,
        op);
  }

  /** What is taken was there when it was read. Were it spent by now, a debt would be left. */
  private static LimitChange change(LimitState stored, long addMilli) {
    long minMilli =
        addMilli < 0
            ? Math.min(stored.tokensMilli(), SaturatedMath.subtract(0, addMilli))
            : LimitChange.NO_FLOOR;
    return new LimitChange(
        stored.name(), addMilli, /* addConsumedMilli= */ 0, minMilli, LimitChange.NO_CEILING);
  }
}
