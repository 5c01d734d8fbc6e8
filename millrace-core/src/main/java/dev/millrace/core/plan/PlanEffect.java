package dev.millrace.core.plan;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.config.Standing;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.SaturatedMath;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a plan does to a bucket: the meaning of {@link WritePlan} as one pure function. Every store
 * does the same with it. It tells what a transaction left behind, which the store does not say, and
 * is the model that stores are tested against.
 *
 * <p>Two rules are added to those that the plans state:
 *
 * <ul>
 *   <li>A plan that changes a limit, or sets its parameters, is refused by a bucket that does not
 *       have the limit, whether the change has bounds or not. DynamoDB's {@code ADD} would
 *       otherwise make a limit that has a balance and no parameters, and nobody could read that
 *       bucket any more.
 *   <li>A {@link WritePlan.Consume} is refused by a bucket that is switched off: the lock, which
 *       switching moves, does not protect it.
 * </ul>
 */
public final class PlanEffect {
  private PlanEffect() {}

  /** The bucket after {@code plan}, or null when {@code current} refuses it. */
  public static @Nullable BucketState apply(@Nullable BucketState current, WritePlan plan) {
    if (plan instanceof WritePlan.Create create) {
      return current == null ? sorted(create.state()) : null;
    }
    if (current == null) {
      return null;
    }
    if (plan instanceof WritePlan.Locked locked) {
      return accepts(current, locked) ? after(current, locked) : null;
    }
    if (plan instanceof WritePlan.Consume consume) {
      return accepts(current, consume)
          ? changed(current, consume.changes(), consume.expiresAtSeconds(), consume.op())
          : null;
    }
    WritePlan.Adjust adjust = (WritePlan.Adjust) plan;
    return acceptsAll(current, adjust.changes())
        ? changed(current, adjust.changes(), adjust.expiresAtSeconds(), adjust.op())
        : null;
  }

  private static boolean accepts(BucketState current, WritePlan.Consume consume) {
    return current.refilledAtMs() >= consume.minRefilledAtMs()
        && !current.standing().disabled()
        && acceptsAll(current, consume.changes());
  }

  private static boolean accepts(BucketState current, WritePlan.Locked locked) {
    if (current.refilledAtMs() != locked.expectedRefilledAtMs()
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
    Standing standing = parameters.standing();
    return new BucketState(
        current.key(),
        locked.refilledAtMs(),
        List.copyOf(limits.values()),
        current.shardCount(),
        locked.expiresAtSeconds(),
        locked.op(),
        standing == null ? current.standing() : standing);
  }

  private static BucketState changed(
      BucketState current, List<LimitChange> changes, long expiresAtSeconds, String op) {
    return new BucketState(
        current.key(),
        current.refilledAtMs(),
        List.copyOf(limitsAfter(current, changes).values()),
        current.shardCount(),
        expiresAtSeconds,
        op,
        current.standing());
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
        state.shardCount(),
        state.expiresAtSeconds(),
        state.op(),
        state.standing());
  }

  private static SortedMap<String, LimitState> byName(BucketState state) {
    SortedMap<String, LimitState> limits = new TreeMap<>();
    for (LimitState limit : state.limits()) {
      limits.put(limit.name(), limit);
    }
    return limits;
  }
}
