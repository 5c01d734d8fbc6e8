package dev.millrace.admin.internal;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.SaturatedMath;
import dev.millrace.core.plan.PlanEffect;
import dev.millrace.core.plan.WritePlan;
import java.util.Map;
import java.util.TreeMap;

/** Balances before and after an operation, as its audit event shows them. */
final class Tokens {
  private Tokens() {}

  /** Adds what a shard holds to what others do. */
  static void add(Map<String, Long> sums, BucketState shard, long nowMs) {
    for (LimitState limit : shard.limits()) {
      sums.merge(limit.name(), limit.balanceMilli(shard.refilledAtMs(), nowMs), SaturatedMath::add);
    }
  }

  /** The shard as the write leaves it. */
  static BucketState after(BucketState shard, WritePlan write) {
    BucketState after = PlanEffect.apply(shard, write);
    if (after == null) {
      throw new IllegalStateException("the plan does not fit what it was made for: " + write);
    }
    return after;
  }

  static Map<String, String> fields(Map<String, Long> sums) {
    Map<String, String> fields = new TreeMap<>();
    sums.forEach((limit, milli) -> fields.put("tokens." + limit, Limit.tokens(milli)));
    return fields;
  }
}
