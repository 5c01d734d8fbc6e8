package dev.millrace.benchmarks.load;

/** Where a run stands. */
public enum Stage {
  /** Callers call, nothing is measured. */
  WARM_UP,
  /** What callers see counts. */
  MEASURED,
  /** Callers finish what they are at. */
  ENDED
}
