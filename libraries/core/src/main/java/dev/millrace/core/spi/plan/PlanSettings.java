package dev.millrace.core.spi.plan;

import dev.millrace.LimiterOptions;
import dev.millrace.core.spi.bucket.WriteUnits;

/**
 * The numbers of the write protocol.
 *
 * @param grainMs the refill grain Δ, by which a burst may exceed the bound: four fifths of it are
 *     for consuming without claiming, one fifth for tokens that are taken ahead of their use
 * @param maxSkewMs how far ahead a refill timestamp is believed to be a clock's honest difference
 * @param writeUnits what one partition of the store bears
 */
public record PlanSettings(long grainMs, long maxSkewMs, WriteUnits writeUnits) {
  /** 100 ms and 10 s. */
  public static final PlanSettings DEFAULT = new PlanSettings(100, 10_000);

  /** The numbers for a store with DynamoDB's partitions. */
  public PlanSettings(long grainMs, long maxSkewMs) {
    this(grainMs, maxSkewMs, WriteUnits.DYNAMODB);
  }

  /** The numbers that options say. */
  public static PlanSettings of(LimiterOptions options) {
    return new PlanSettings(
        options.refillGrain().toMillis(),
        options.maxClockSkew().toMillis(),
        new WriteUnits(options.partitionWriteUnits()));
  }

  /** Checks the ranges. */
  public PlanSettings {
    if (grainMs < 1 || grainMs > 10_000) {
      throw new IllegalArgumentException("grain " + grainMs + " ms must be from 1 to 10000");
    }
    if (maxSkewMs < 1 || maxSkewMs > 3_600_000) {
      throw new IllegalArgumentException("maxSkew " + maxSkewMs + " ms must be from 1 to 3600000");
    }
  }

  /** How long after a claim a bucket may be consumed without claiming again. */
  public long consumeWindowMs() {
    return Math.max(1, grainMs * 4 / 5);
  }

  /** How long after their charge tokens that were taken ahead may be used. */
  public long prefetchWindowMs() {
    return grainMs - consumeWindowMs();
  }
}
