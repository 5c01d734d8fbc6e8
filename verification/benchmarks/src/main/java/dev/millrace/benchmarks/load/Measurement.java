package dev.millrace.benchmarks.load;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The figures of the measured time.
 *
 * @param elapsedNanos how long it was
 * @param counts the answers
 * @param spending what the limiters asked of the store
 * @param latencies of single requests, in nanoseconds
 * @param samples the counts as they grew
 * @param failures requests that could not be decided by the sort of failure, warm-up included
 */
public record Measurement(
    long elapsedNanos,
    AnswerCounts counts,
    StoreCost spending,
    Histogram latencies,
    List<Sample> samples,
    Map<String, Long> failures) {
  /** The counts at one moment of the measured time. */
  public record Sample(long atNanos, AnswerCounts counts) {}

  /** Keeps the lists as they are now. */
  public Measurement {
    samples = List.copyOf(samples);
    failures = Map.copyOf(failures);
  }

  /** Length of the measured time. */
  public double seconds() {
    return elapsedNanos / 1e9;
  }
}
