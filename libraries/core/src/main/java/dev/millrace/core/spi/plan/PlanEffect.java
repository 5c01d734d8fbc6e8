package dev.millrace.core.spi.plan;

import dev.millrace.Limit;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a plan on a bucket: the meaning of {@link WritePlan} as one pure function. Every
 * store does the same with it. It tells what a transaction left behind, which the store does not
 * say, and is the model that stores are tested against.
 *
 * <p>Three rules are added to those that the plans state:
 *
 * <ul>
 *   <li>A plan that changes a limit, or sets its parameters, is refused by a bucket that does not
 *       have the limit, whether the change has bounds or not. DynamoDB's {@code ADD} would
 *       otherwise make a limit that has a balance and no parameters, and nobody could read that
 *       bucket any more.
 *   <li>A {@link WritePlan.Consume} is refused by a bucket that is switched off: the lock, which
 *       switching moves, does not protect it.
 *   <li>A {@link WritePlan.Adjust} that sets an expiry is refused by a shard of several: were one
 *       of them forgotten, the bucket would hold less, or a new one in its place too much.
 * </ul>
 */
public final class PlanEffect {
  private PlanEffect() {}

  /**
   * The bucket after {@code plan}, or null when {@code current} refuses it or is taken away by it:
   * {@link #accepts} tells which.
   */
  public static @Nullable BucketState apply(@Nullable BucketState current, WritePlan plan) {
    if (!accepts(current, plan)) {
      return null;
    }
    if (plan instanceof WritePlan.Create create) {
      return sorted(create.state());
    }
    if (current == null || plan instanceof WritePlan.Remove) {
      return null;
    }
    if (plan instanceof WritePlan.Locked locked) {
      return after(current, locked);
    }
    if (plan instanceof WritePlan.Consume consume) {
      return changed(
          current,
          consume.changes(),
          consume.addWcuMilli(),
          consume.expiresAtSeconds(),
          consume.op());
    }
    if (plan instanceof WritePlan.Resize resize) {
      return resized(current, resize);
    }
    WritePlan.Adjust adjust = (WritePlan.Adjust) plan;
    return changed(
        current, adjust.changes(), adjust.addWcuMilli(), adjust.expiresAtSeconds(), adjust.op());
  }

  /** Whether the condition of {@code plan} holds for {@code current}, null for no bucket. */
  public static boolean accepts(@Nullable BucketState current, WritePlan plan) {
    if (plan instanceof WritePlan.Create) {
      return current == null;
    }
    if (current == null) {
      return false;
    }
    if (plan instanceof WritePlan.Locked locked) {
      return accepts(current, locked);
    }
    if (plan instanceof WritePlan.Consume consume) {
      return accepts(current, consume);
    }
    if (plan instanceof WritePlan.Resize resize) {
      return current.division().count() == resize.expectedCount();
    }
    if (plan instanceof WritePlan.Remove remove) {
      return current.op().equals(remove.expectedOp());
    }
    WritePlan.Adjust adjust = (WritePlan.Adjust) plan;
    boolean mayExpire =
        adjust.expiresAtSeconds() == BucketState.NEVER || current.division().isWhole();
    return mayExpire && acceptsAll(current, adjust.changes());
  }

  private static boolean accepts(BucketState current, WritePlan.Consume consume) {
    return current.refilledAtMs() >= consume.minRefilledAtMs()
        && current.division().level() == consume.level()
        && !current.stamp().disabled()
        && acceptsAll(current, consume.changes());
  }

  private static boolean accepts(BucketState current, WritePlan.Locked locked) {
    if (current.refilledAtMs() != locked.expectedRefilledAtMs()
        || current.division().level() != locked.level()
        || !acceptsDivision(current, locked.parameters().division())
        || !acceptsAll(current, locked.changes())) {
      return false;
    }
    for (Limit set : locked.parameters().set()) {
      if (current.find(set.name()) == null) {
        return false;
      }
    }
    for (LimitState added : locked.parameters().added()) {
      if (current.find(added.name()) != null) {
        return false;
      }
    }
    for (WritePlan.Removal removal : locked.parameters().removed()) {
      LimitState stored = current.find(removal.name());
      if (stored == null || stored.tokensMilli() < removal.minTokensMilli()) {
        return false;
      }
    }
    return true;
  }

  /** A shard changes its level alone: how many there should be, somebody may change meanwhile. */
  private static boolean acceptsDivision(BucketState current, @Nullable Division division) {
    return division == null || division.count() == current.division().count();
  }

  private static boolean acceptsAll(BucketState current, List<LimitChange> changes) {
    for (LimitChange change : changes) {
      LimitState stored = current.find(change.name());
      if (stored == null || !change.accepts(stored.tokensMilli())) {
        return false;
      }
    }
    return true;
  }

  private static BucketState after(BucketState current, WritePlan.Locked locked) {
    WritePlan.Parameters parameters = locked.parameters();
    SortedMap<String, LimitState> limits = limitsAfter(current, locked.changes());
    for (Limit set : parameters.set()) {
      limits.computeIfPresent(
          set.name(),
          (name, state) -> new LimitState(set, state.tokensMilli(), state.consumedMilli()));
    }
    for (LimitState added : parameters.added()) {
      limits.put(added.name(), added);
    }
    for (WritePlan.Removal removal : parameters.removed()) {
      limits.remove(removal.name());
    }
    ConfigStamp stamp = parameters.stamp();
    Division division = parameters.division();
    return new BucketState(
        current.key(),
        locked.refilledAtMs(),
        List.copyOf(limits.values()),
        division == null ? current.division() : division,
        SaturatedMath.add(current.wcuMilli(), locked.addWcuMilli()),
        locked.expiresAtSeconds(),
        locked.op(),
        stamp == null ? current.stamp() : stamp);
  }

  private static BucketState resized(BucketState current, WritePlan.Resize resize) {
    return new BucketState(
        current.key(),
        current.refilledAtMs(),
        current.limits(),
        current.division().withCount(resize.count()),
        SaturatedMath.add(current.wcuMilli(), resize.addWcuMilli()),
        BucketState.NEVER,
        resize.op(),
        current.stamp());
  }

  private static BucketState changed(
      BucketState current,
      List<LimitChange> changes,
      long addWcuMilli,
      long expiresAtSeconds,
      String op) {
    return new BucketState(
        current.key(),
        current.refilledAtMs(),
        List.copyOf(limitsAfter(current, changes).values()),
        current.division(),
        SaturatedMath.add(current.wcuMilli(), addWcuMilli),
        expiresAtSeconds,
        op,
        current.stamp());
  }

  private static SortedMap<String, LimitState> limitsAfter(
      BucketState current, List<LimitChange> changes) {
    SortedMap<String, LimitState> limits = byName(current);
    for (LimitChange change : changes) {
      limits.computeIfPresent(change.name(), (name, state) -> after(state, change));
    }
    return limits;
  }

  private static LimitState after(LimitState state, LimitChange change) {
    // DynamoDB counts on to 38 digits; what a state can say ends at 64 bits, so this stops there.
    return new LimitState(
        state.limit(),
        SaturatedMath.add(state.tokensMilli(), change.addTokensMilli()),
        SaturatedMath.add(state.consumedMilli(), change.addConsumedMilli()));
  }

  private static BucketState sorted(BucketState state) {
    return new BucketState(
        state.key(),
        state.refilledAtMs(),
        List.copyOf(byName(state).values()),
        state.division(),
        state.wcuMilli(),
        state.expiresAtSeconds(),
        state.op(),
        state.stamp());
  }

  private static SortedMap<String, LimitState> byName(BucketState state) {
    SortedMap<String, LimitState> limits = new TreeMap<>();
    for (LimitState limit : state.limits()) {
      limits.put(limit.name(), limit);
    }
    return limits;
  }
}
