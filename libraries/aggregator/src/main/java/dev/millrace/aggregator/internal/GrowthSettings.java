package dev.millrace.aggregator.internal;

import dev.millrace.core.spi.bucket.WriteUnits;
import java.time.Duration;

/**
 * The thresholds for splitting and merging buckets.
 *
 * @param writeUnits the write units per second that one partition can sustain
 * @param pressedPercent the percentage of that from which a bucket grows
 * @param mergeAfter the time without pressure after which a divided bucket shrinks
 * @param maxShards most shards of a bucket, a power of two
 * @param remembered the number of divided buckets for which the last time under pressure is cached
 */
public record GrowthSettings(
    WriteUnits writeUnits, int pressedPercent, Duration mergeAfter, int maxShards, int remembered) {
  /** Four fifths of DynamoDB's limit for a partition; merged after five quiet minutes. */
  public static final GrowthSettings DEFAULT =
      new GrowthSettings(WriteUnits.DYNAMODB, 80, Duration.ofMinutes(5), 64, 10_000);
}
