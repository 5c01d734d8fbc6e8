package dev.millrace.core.plan;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.SaturatedMath;
import dev.millrace.core.request.Amounts;
import java.util.List;

/** How every limit of a projection stands towards a demand. */
final class Statuses {
  private Statuses() {}

  /**
   * The statuses in the order of the limits.
   *
   * @param admitted whether the demand has passed, so that no limit is exceeded
   */
  static List<LimitStatus> of(Projection projection, Amounts amounts, boolean admitted) {
    BucketKey key = projection.state().key();
    LimitStatus[] statuses = new LimitStatus[projection.limits().size()];
    for (int i = 0; i < statuses.length; i++) {
      boolean exceeded = !admitted && projection.exceeds(amounts, i);
      statuses[i] =
          new LimitStatus(
              key.entityId(),
              key.resource(),
              projection.limits().get(i),
              projection.balanceMilli(i),
              amounts.milli(i),
              exceeded,
              exceeded ? retryAfterMs(projection, i, amounts.milli(i)) : 0);
    }
    return List.of(statuses);
  }

  private static long retryAfterMs(Projection projection, int index, long amountMilli) {
    Limit limit = projection.limits().get(index);
    if (amountMilli > limit.burstMilli()) {
      return LimitStatus.NEVER;
    }
    long missingMilli = SaturatedMath.subtract(amountMilli, projection.balanceMilli(index));
    long atMs =
        projection.share().earnedAtMs(limit.refill(), projection.refilledAtMs(), missingMilli);
    return SaturatedMath.subtract(atMs, projection.nowMs());
  }
}
