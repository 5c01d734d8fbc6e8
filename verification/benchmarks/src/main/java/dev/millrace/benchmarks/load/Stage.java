package dev.millrace.benchmarks.load;

/** The stage that a run has reached. */
public enum Stage {
  /** Callers call, nothing is measured. */
  WARM_UP,
  /** What callers see counts. */
  MEASURED,
  /** Callers finish what they are at. */
  ENDED
}
