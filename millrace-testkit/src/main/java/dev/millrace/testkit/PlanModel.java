package dev.millrace.testkit;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.plan.PlanEffect;
import dev.millrace.core.plan.WritePlan;
import org.jspecify.annotations.Nullable;

/**
 * What a plan does to a bucket. It is what DynamoDB does with the corresponding request, which
 * {@link StoreContract} checks.
 */
final class PlanModel {
  private PlanModel() {}

  /** The bucket after {@code plan}, or null when {@code current} refuses it. */
  static @Nullable BucketState apply(@Nullable BucketState current, WritePlan plan) {
    return PlanEffect.apply(current, plan);
  }
}
