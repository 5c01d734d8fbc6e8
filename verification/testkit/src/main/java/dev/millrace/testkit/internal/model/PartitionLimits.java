package dev.millrace.testkit.internal.model;

/**
 * The throughput of one partition of DynamoDB.
 *
 * @param writeUnitsPerSecond write units a second
 * @param readUnitsPerSecond read units a second
 * @param burstSeconds how many seconds of unused throughput can be spent at once
 */
public record PartitionLimits(int writeUnitsPerSecond, int readUnitsPerSecond, int burstSeconds) {
  /** As documented: 1,000 write and 3,000 read units, five minutes of unused throughput. */
  public static final PartitionLimits DYNAMODB = new PartitionLimits(1_000, 3_000, 300);

  /** No unused throughput is kept but that of the last second. */
  public static final PartitionLimits WITHOUT_BURST = new PartitionLimits(1_000, 3_000, 1);

  /** No limit. */
  public static final PartitionLimits NONE =
      new PartitionLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, 1);

  /** Checks the ranges. */
  public PartitionLimits {
    if (writeUnitsPerSecond < 1 || readUnitsPerSecond < 1 || burstSeconds < 1) {
      throw new IllegalArgumentException(
          "partition limits must be positive: "
              + writeUnitsPerSecond
              + " write units, "
              + readUnitsPerSecond
              + " read units, "
              + burstSeconds
              + " s burst");
    }
  }
}
