package dev.millrace.admin.internal;

import dev.millrace.Limit;
import dev.millrace.admin.BucketReport;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.PlanEffect;
import dev.millrace.core.spi.plan.WritePlan;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The balances before and after an operation, as its audit event shows them. */
final class AuditBalances {
  private AuditBalances() {}

  /** The sum of all shards of a bucket. */
  static Map<String, String> of(List<BucketState> shards, long nowMs) {
    Map<String, String> fields = new TreeMap<>();
    for (BucketReport.Balance sum : BucketTotals.sums(shards, nowMs)) {
      fields.put("tokens." + sum.limit().name(), Limit.tokens(sum.availableMilli()));
    }
    return fields;
  }

  /** The shard after the write. */
  static BucketState after(BucketState shard, WritePlan write) {
    BucketState after = PlanEffect.apply(shard, write);
    if (after == null) {
      throw new IllegalStateException(
          "the plan does not apply to the state it was made for: " + write);
    }
    return after;
  }
}
