package dev.millrace.benchmarks.backend;

import dev.millrace.testkit.internal.model.PartitionLimits;

/**
 * The properties of DynamoDB that the model of a scenario reproduces.
 *
 * @param partition what each partition bears
 * @param conflicts whether transactions are in the way of other writes; nobody who makes none need
 *     pay for that
 */
public record ModelTraits(PartitionLimits partition, boolean conflicts) {
  /** DynamoDB's partitions, for scenarios without transactions. */
  public static final ModelTraits WITHOUT_CONFLICTS =
      new ModelTraits(PartitionLimits.DYNAMODB, /* conflicts= */ false);
}
