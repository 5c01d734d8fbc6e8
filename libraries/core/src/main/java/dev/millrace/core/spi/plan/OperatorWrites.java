package dev.millrace.core.spi.plan;

import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketExpiry;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The writes of operators: they claim like any other, and then lift balances.
 *
 * <p>The change is added, not set, and demands nothing of the balance: a write without the lock
 * that comes between is counted in whichever comes first. The timestamp always moves, so that every
 * writer under the lock notices.
 */
public final class OperatorWrites {
  private OperatorWrites() {}

  /** The write that fills every limit of a bucket to its ceiling. */
  public static WritePlan.Locked reset(
      BucketState state, long nowMs, PlanSettings settings, String op) {
    return reset(state, null, nowMs, settings, op);
  }

  /**
   * The write that fills the named limits to their ceiling; their debt is forgiven. The other
   * limits only earn. What was consumed stays counted, and what is consumed at the same moment is
   * not lost: it is taken from the full balance.
   *
   * @param limits names of limits that the bucket has, null for all
   */
  public static WritePlan.Locked reset(
      BucketState state,
      @Nullable Set<String> limits,
      long nowMs,
      PlanSettings settings,
      String op) {
    if (limits != null) {
      requireKnown(state, limits);
    }
    return lift(
        state,
        limit ->
            limits == null || limits.contains(limit.name())
                ? Long.MAX_VALUE // clipped at the ceiling, and beyond every debt
                : 0,
        nowMs,
        settings,
        op);
  }

  /**
   * The write that gives tokens, up to the ceiling. What was consumed stays counted, and what is
   * consumed at the same moment is not lost.
   *
   * @param milli how much, by the name of a limit that the bucket has; not negative
   */
  public static WritePlan.Locked topUp(
      BucketState state, Map<String, Long> milli, long nowMs, PlanSettings settings, String op) {
    requireKnown(state, milli.keySet());
    milli.forEach(OperatorWrites::requireNotNegative);
    return lift(state, limit -> milli.getOrDefault(limit.name(), 0L), nowMs, settings, op);
  }

  /** How much is given to a limit. */
  private interface Gift {
    long milli(LimitState limit);
  }

  private static WritePlan.Locked lift(
      BucketState state, Gift gift, long nowMs, PlanSettings settings, String op) {
    long refilledAtMs = claimedToMs(state, nowMs, settings);
    List<LimitChange> changes = new ArrayList<>(state.limits().size());
    List<LimitState> after = new ArrayList<>(state.limits().size());
    for (LimitState stored : state.limits()) {
      long earnedMilli = stored.balanceMilli(state.share(), state.refilledAtMs(), refilledAtMs);
      long roomMilli = SaturatedMath.subtract(stored.ceilingMilli(state.share()), earnedMilli);
      long giftMilli = Math.min(gift.milli(stored), roomMilli);
      // Never less than there is: what a refund lifted above the ceiling, the next claim clips.
      long afterMilli = Math.max(stored.tokensMilli(), SaturatedMath.add(earnedMilli, giftMilli));
      changes.add(
          LimitChange.unconditional(
              stored.name(),
              SaturatedMath.subtract(afterMilli, stored.tokensMilli()),
              /* addConsumedMilli= */ 0));
      after.add(new LimitState(stored.limit(), afterMilli, stored.consumedMilli()));
    }
    return new WritePlan.Locked(
        state.key(),
        state.refilledAtMs(),
        state.division().level(),
        refilledAtMs,
        changes,
        WritePlan.Parameters.UNCHANGED,
        /* addWcuMilli= */ 0,
        BucketState.expires(state.division(), state.stamp())
            ? BucketExpiry.expiresAtSeconds(nowMs, after)
            : BucketState.NEVER,
        op);
  }

  /** Up to now, but always on; a timestamp that is not believed is healed. */
  private static long claimedToMs(BucketState state, long nowMs, PlanSettings settings) {
    boolean wild = state.refilledAtMs() > SaturatedMath.add(nowMs, settings.maxSkewMs());
    return wild ? nowMs : Math.max(nowMs, state.refilledAtMs() + 1);
  }

  private static void requireKnown(BucketState state, Set<String> limits) {
    Set<String> unknown = new HashSet<>(limits);
    state.limits().forEach(limit -> unknown.remove(limit.name()));
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "limits "
              + unknown
              + " are not among those of "
              + state.key()
              + ": "
              + state.limits().stream().map(LimitState::name).toList());
    }
  }

  private static void requireNotNegative(String limit, long milli) {
    if (milli < 0) {
      throw new IllegalArgumentException(
          "limit '" + limit + "': top-up of " + milli + " millitokens must not be negative");
    }
  }
}
