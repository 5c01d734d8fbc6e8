package dev.millrace.aggregator;

import dev.millrace.core.plan.PlanSettings;
import java.time.Duration;

/**
 * When buckets are refilled for the processes that share them.
 *
 * @param plan the numbers of the write protocol, those of the limiters
 * @param after how old the last claim must be; by default as old as it may be for a limiter to
 *     consume without claiming
 * @param pause how long a shard is left alone after it was refilled, or after a try
 * @param perBatch most shards that are refilled after one batch
 * @param remembered for how many shards it is remembered when they were last refilled
 */
public record RefillSettings(
    PlanSettings plan, Duration after, Duration pause, int perBatch, int remembered) {
  /** Checks the ranges. */
  public RefillSettings {
    if (after.toMillis() < 1 || pause.toMillis() < 1) {
      throw new IllegalArgumentException(
          "after " + after + " and pause " + pause + " must be at least a millisecond");
    }
    if (perBatch < 1 || remembered < 1) {
      throw new IllegalArgumentException(
          "per batch " + perBatch + " and remembered " + remembered + " must be at least 1");
    }
  }

  /** Once in the time in which limiters may consume without claiming. */
  public static RefillSettings defaults() {
    Duration window = Duration.ofMillis(PlanSettings.DEFAULT.consumeWindowMs());
    return new RefillSettings(PlanSettings.DEFAULT, window, window, 16, 10_000);
  }
}
