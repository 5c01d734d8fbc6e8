package dev.millrace.testkit.internal.memory;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The rules of valid plans: a violation is a request that DynamoDB does not accept: it answers with
 * a validation error, not with a refused condition. The model must not accept it either, or it
 * would hide the bug.
 *
 * <ul>
 *   <li>A limit is changed, added or removed once: update paths must not overlap.
 *   <li>A floor is not above its ceiling: {@code BETWEEN} demands that.
 *   <li>An adjust makes no demand of a balance: it is conditional only on the limits being there.
 * </ul>
 *
 * <p>Of {@link WritePlan.Resize} and {@link WritePlan.Remove} there is nothing left to check that
 * they do not check themselves.
 */
public final class PlanRules {
  private PlanRules() {}

  public static void check(WritePlan plan) {
    if (plan instanceof WritePlan.Create create) {
      once(plan, create.state().limits().stream().map(LimitState::name).toList(), new HashSet<>());
    } else if (plan instanceof WritePlan.Locked locked) {
      changes(plan, locked.changes());
      parameters(plan, locked);
    } else if (plan instanceof WritePlan.Consume consume) {
      changes(plan, consume.changes());
    } else if (plan instanceof WritePlan.Adjust adjust) {
      changes(plan, adjust.changes());
      for (LimitChange change : adjust.changes()) {
        require(plan, change.name(), !change.hasFloor() && !change.hasCeiling(), "has a bound");
      }
    }
  }

  private static void changes(WritePlan plan, List<LimitChange> changes) {
    once(plan, changes.stream().map(LimitChange::name).toList(), new HashSet<>());
    for (LimitChange change : changes) {
      boolean ordered = change.minTokensMilli() <= change.maxTokensMilli();
      require(plan, change.name(), ordered, "has its floor above its ceiling");
    }
  }

  private static void parameters(WritePlan plan, WritePlan.Locked locked) {
    // What is set may be changed too: parameters and balance are different attributes.
    Set<String> named = new HashSet<>();
    once(plan, locked.parameters().set().stream().map(Limit::name).toList(), named);
    locked.changes().forEach(change -> named.add(change.name()));
    once(plan, locked.parameters().added().stream().map(LimitState::name).toList(), named);
    once(plan, locked.parameters().removed().stream().map(WritePlan.Removal::name).toList(), named);
  }

  private static void once(WritePlan plan, List<String> names, Set<String> named) {
    for (String name : names) {
      require(plan, name, named.add(name), "is named twice");
    }
  }

  private static void require(WritePlan plan, String limit, boolean holds, String mistake) {
    if (!holds) {
      throw new IllegalArgumentException("limit '" + limit + "' " + mistake + " in " + plan);
    }
  }
}
