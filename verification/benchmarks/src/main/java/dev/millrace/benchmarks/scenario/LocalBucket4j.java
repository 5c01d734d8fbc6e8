package dev.millrace.benchmarks.scenario;

import dev.millrace.benchmarks.load.Ask;
import io.github.bucket4j.Bucket;
import java.time.Duration;

/** Bucket4j in memory: what a Java user would take for one process. */
final class LocalBucket4j {
  private LocalBucket4j() {}

  /** One bucket that all callers share. */
  static Ask of(long amount, Duration period) {
    Bucket bucket =
        Bucket.builder()
            .addLimit(limit -> limit.capacity(amount).refillGreedy(amount, period))
            .build();
    return () -> bucket.tryConsume(1);
  }
}
