package dev.millrace.aggregator;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.WriteUnits;
import java.time.Duration;

/**
 * When buckets are divided further and when they are merged.
 *
 * @param writeUnits what one partition bears
 * @param pressedPercent how much of that must be used for a bucket to grow
 * @param mergeAfter how long a divided bucket must have been without pressure to shrink
 * @param maxShards most shards of a bucket, a power of two
 * @param remembered for how many divided buckets it is remembered when they were last pressed
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

  /** At four fifths of what DynamoDB gives a partition; merged after five quiet minutes. */
  public static GrowthSettings defaults() {
    return new GrowthSettings(WriteUnits.DYNAMODB, 80, Duration.ofMinutes(5), 64, 10_000);
  }
}
