package dev.millrace.benchmarks.scenario;

import dev.millrace.benchmarks.backend.Backend;
import dev.millrace.benchmarks.load.Course;
import dev.millrace.benchmarks.load.RunProgress;
import java.time.Duration;

/**
 * The store, the clock and the limiters of a scenario.
 *
 * @param backend an empty store
 * @param warmUp how long callers call before anything is measured
 * @param measured how long is measured
 * @param load what the user chose of the load
 * @param progress hears how far the run is
 */
public record Bench(
    Backend backend, Duration warmUp, Duration measured, ChosenLoad load, RunProgress progress) {
  /** A course of the chosen length. */
  public Course course() {
    return new Course(warmUp, measured, progress);
  }
}
