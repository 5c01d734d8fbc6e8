package dev.millrace.benchmarks.backend;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import java.util.ArrayList;
import java.util.List;

/**
 * A locked write of two limits whose conditions always hold: the lock is left as it is found, and
 * each write takes a millitoken from a balance that lasts for centuries. Same attributes, same
 * expressions and nearly the same bytes as the write of an acquire.
 */
final class RawPlan {
  /** No limiter's. */
  private static final String NAMESPACE = "bench-raw";

  private static final String OP = "0123456789abcdef0123";
  private static final long EXPIRES_AT_SECONDS = 4_102_444_800L;

  private RawPlan() {}

  /** A bucket of its own with the names and limits of {@code shape}. */
  static WritePlan.Create create(AcquireRequest shape) {
    BucketKey key = BucketKey.first(NAMESPACE, shape.entityId(), shape.resource());
    List<LimitState> states = new ArrayList<>();
    for (Limit limit : shape.requireLimits()) {
      states.add(LimitState.full(limit));
    }
    return new WritePlan.Create(
        new BucketState(key, System.currentTimeMillis(), states, EXPIRES_AT_SECONDS, OP));
  }

  static WritePlan.Locked of(WritePlan.Create create) {
    BucketState state = create.state();
    List<LimitChange> changes = new ArrayList<>();
    for (LimitState limit : state.limits()) {
      changes.add(
          new LimitChange(
              limit.name(),
              /* addTokensMilli= */ -1,
              /* addConsumedMilli= */ 1,
              /* minTokensMilli= */ 1,
              limit.limit().burstMilli()));
    }
    return new WritePlan.Locked(
        state.key(),
        state.refilledAtMs(),
        state.refilledAtMs(),
        changes,
        WritePlan.Parameters.UNCHANGED,
        EXPIRES_AT_SECONDS,
        OP);
  }
}
