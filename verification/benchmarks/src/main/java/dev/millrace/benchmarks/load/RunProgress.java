package dev.millrace.benchmarks.load;

import java.time.Duration;

/** Hears how far a run is. */
@FunctionalInterface
public interface RunProgress {
  /** Tells nobody. */
  RunProgress NONE = (stage, passed, length) -> {};

  /** So much of the stage has passed. */
  void at(Stage stage, Duration passed, Duration length);
}
