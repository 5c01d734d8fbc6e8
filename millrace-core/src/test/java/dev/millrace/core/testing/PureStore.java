package dev.millrace.core.testing;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.plan.LimitChange;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.store.Receipt;
import dev.millrace.core.store.StoreReply;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a write does to a bucket, as a function: the state that is met, the plan, the answer. */
public final class PureStore {
  private PureStore() {}

  /** Executes {@code plan} on {@code met}, null for a bucket that does not exist. */
  public static StoreReply execute(@Nullable BucketState met, WritePlan plan) {
    BucketState after;
    if (plan instanceof WritePlan.Create create) {
      after = met == null ? create.state() : null;
    } else if (met == null) {
      after = null;
    } else if (plan instanceof WritePlan.Locked locked) {
      after = locked(met, locked);
    } else if (plan instanceof WritePlan.Consume consume) {
      after =
          met.refilledAtMs() >= consume.minRefilledAtMs() && !met.standing().disabled()
              ? changed(met, consume.changes(), consume.expiresAtSeconds(), consume.op())
              : null;
    } else {
      WritePlan.Adjust adjust = (WritePlan.Adjust) plan;
      after = changed(met, adjust.changes(), adjust.expiresAtSeconds(), adjust.op());
    }
    return after == null
        ? new StoreReply.Refused(met, Receipt.NONE)
        : new StoreReply.Applied(after, Receipt.NONE);
  }

  /** The state after {@code plan}, which must be applied. */
  public static BucketState applied(@Nullable BucketState met, WritePlan plan) {
    if (execute(met, plan) instanceof StoreReply.Applied applied) {
      return applied.state();
    }
    throw new AssertionError(met + " refused " + plan);
  }

  private static @Nullable BucketState changed(
      BucketState met, List<LimitChange> changes, long expiresAtSeconds, String op) {
    Map<String, LimitState> limits = byName(met);
    if (!change(limits, changes)) {
      return null;
    }
    return new BucketState(
        met.key(),
        met.refilledAtMs(),
        List.copyOf(limits.values()),
        met.shardCount(),
        expiresAtSeconds,
        op,
        met.standing());
  }

  private static @Nullable BucketState locked(BucketState met, WritePlan.Locked plan) {
    Map<String, LimitState> limits = byName(met);
    if (met.refilledAtMs() != plan.expectedRefilledAtMs() || !change(limits, plan.changes())) {
      return null;
    }
    for (WritePlan.Removal removal : plan.parameters().removed()) {
      LimitState gone = limits.remove(removal.name());
      if (gone == null || gone.tokensMilli() < removal.minTokensMilli()) {
        return null;
      }
    }
    for (Limit limit : plan.parameters().set()) {
      limits.computeIfPresent(
          limit.name(),
          (name, old) -> new LimitState(limit, old.tokensMilli(), old.consumedMilli()));
    }
    for (LimitState added : plan.parameters().added()) {
      if (limits.put(added.name(), added) != null) {
        throw new AssertionError(added + " was there already");
      }
    }
    return new BucketState(
        met.key(),
        plan.refilledAtMs(),
        List.copyOf(limits.values()),
        met.shardCount(),
        plan.expiresAtSeconds(),
        plan.op(),
        Objects.requireNonNullElse(plan.parameters().standing(), met.standing()));
  }

  /** Changes {@code limits} in place; false when one of them is not there or does not accept. */
  private static boolean change(Map<String, LimitState> limits, List<LimitChange> changes) {
    for (LimitChange change : changes) {
      LimitState old = limits.get(change.name());
      if (old == null || !change.accepts(old.tokensMilli())) {
        return false;
      }
      limits.put(
          change.name(),
          new LimitState(
              old.limit(),
              Math.addExact(old.tokensMilli(), change.addTokensMilli()),
              Math.addExact(old.consumedMilli(), change.addConsumedMilli())));
    }
    return true;
  }

  private static Map<String, LimitState> byName(BucketState state) {
    Map<String, LimitState> limits = new TreeMap<>();
    for (LimitState limit : state.limits()) {
      limits.put(limit.name(), limit);
    }
    return limits;
  }
}
