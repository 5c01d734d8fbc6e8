package dev.millrace.aggregator;

import dev.millrace.BucketKey;
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
  /** Checks the ranges. */
  public GrowthSettings {
    if (pressedPercent < 1 || pressedPercent > 100) {
      throw new IllegalArgumentException("percent " + pressedPercent + " must be from 1 to 100");
    }
    if (mergeAfter.isNegative() || mergeAfter.isZero()) {
      throw new IllegalArgumentException("merge after " + mergeAfter + " must be above zero");
    }
    if (maxShards < 1 || maxShards > BucketKey.MAX_SHARDS || Integer.bitCount(maxShards) != 1) {
      throw new IllegalArgumentException(
          "max shards " + maxShards + " must be a power of two up to " + BucketKey.MAX_SHARDS);
    }
    if (remembered < 1) {
      throw new IllegalArgumentException("remembered " + remembered + " must be at least 1");
    }
  }

  /**
   * The defaults: four fifths of DynamoDB's limit for a partition; merged after five quiet minutes.
   */
  public static GrowthSettings defaults() {
    return new GrowthSettings(WriteUnits.DYNAMODB, 80, Duration.ofMinutes(5), 64, 10_000);
  }
}
