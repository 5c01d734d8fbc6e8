package dev.millrace.benchmarks.jmh;

import dev.millrace.AcquireRequest;
import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlanner;
import java.util.ArrayList;
import java.util.List;

/** A bucket of two limits as it is met in the middle of its life, and a request for it. */
final class SampleBucket {
  static final long NOW_MS = 1_800_000_000_123L;
  static final long REFILLED_AT_MS = NOW_MS - 37;
  static final String OP = "0123456789abcdef0123";

  static final AcquireRequest REQUEST =
      AcquireRequest.of("0f8fad5b-d9cb-469f-a165-70867728950e", "gpt-4")
          .limits(Limit.perMinute("rpm", 1_000), Limit.perMinute("tpm", 100_000))
          .consume("rpm", 1)
          .consume("tpm", 500);

  static final LimitSet LIMITS = REQUEST.requireLimits();
  static final Amounts AMOUNTS = REQUEST.requireAmounts();

  private SampleBucket() {}

  static BucketState state() {
    List<LimitState> limits = new ArrayList<>();
    for (Limit limit : LIMITS) {
      limits.add(new LimitState(limit, limit.burstMilli() / 2, 123_456_789));
    }
    return new BucketState(
        BucketKey.first("default", REQUEST.entityId(), REQUEST.resource()),
        REFILLED_AT_MS,
        limits,
        /* expiresAtSeconds= */ 1_800_003_600L,
        OP);
  }

  /** The write of one acquire. */
  static WritePlan plan(BucketState state, boolean contended) {
    BucketView projection = BucketView.of(state, LIMITS, NOW_MS, PlanSettings.DEFAULT.maxSkewMs());
    if (!projection.fits(AMOUNTS)) {
      throw new IllegalStateException("the sample does not fit");
    }
    projection.take(AMOUNTS);
    return WritePlanner.write(projection, contended, PlanSettings.DEFAULT, OP);
  }
}
