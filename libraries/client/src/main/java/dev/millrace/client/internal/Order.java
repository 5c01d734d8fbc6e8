package dev.millrace.client.internal;

import dev.millrace.core.config.Terms;
import dev.millrace.core.plan.Demand;
import dev.millrace.core.request.Amounts;

/**
 * A demand on its way to a bucket.
 *
 * @param terms what holds for the bucket, as far as the caller knows
 * @param mayCreate whether the bucket may be made with these terms
 */
record Order(Bucket bucket, Terms terms, Demand demand, boolean mayCreate) {
  /** Asks for what {@code leg} wants. */
  static Order acquire(Leg leg) {
    return new Order(leg.bucket(), leg.terms(), Demand.acquire(leg.amounts()), leg.mayCreate());
  }

  /** Tells what a call has cost; it must not be lost, so it may make the bucket. */
  static Order settle(Bucket bucket, Terms terms, Amounts amounts) {
    return new Order(bucket, terms, Demand.settle(amounts), /* mayCreate= */ true);
  }

  /** Gives back what {@code leg} was charged. */
  static Order refund(Leg leg) {
    return settle(leg.bucket(), leg.terms(), leg.amounts().negated());
  }
}
