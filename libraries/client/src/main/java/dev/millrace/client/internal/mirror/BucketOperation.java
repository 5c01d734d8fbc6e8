package dev.millrace.client.internal.mirror;

import dev.millrace.Amounts;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.spi.config.EffectiveLimits;

/**
 * A demand on its way to a bucket.
 *
 * @param terms what holds for the bucket, as far as the caller knows
 * @param mayCreate whether the bucket may be made with these terms
 */
public record BucketOperation(
    MirroredBucket bucket, EffectiveLimits terms, BucketDemand demand, boolean mayCreate) {
  /** Asks for what {@code leg} wants. */
  public static BucketOperation acquire(Leg leg) {
    return new BucketOperation(
        leg.bucket(), leg.terms(), BucketDemand.acquire(leg.amounts()), leg.mayCreate());
  }

  /** Tells what a call has cost; it must not be lost, so it may make the bucket. */
  public static BucketOperation settle(
      MirroredBucket bucket, EffectiveLimits terms, Amounts amounts) {
    return new BucketOperation(bucket, terms, BucketDemand.settle(amounts), /* mayCreate= */ true);
  }

  /** Gives back what {@code leg} was charged. */
  public static BucketOperation refund(Leg leg) {
    return settle(leg.bucket(), leg.terms(), leg.amounts().negated());
  }
}
