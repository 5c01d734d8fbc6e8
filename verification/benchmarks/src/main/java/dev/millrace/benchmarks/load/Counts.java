package dev.millrace.benchmarks.load;

/**
 * Answers, counted.
 *
 * @param admitted requests that were granted
 * @param refused requests that a limit refused
 * @param failed requests that could not be decided
 */
public record Counts(long admitted, long refused, long failed) {
  /** Nothing yet. */
  public static final Counts NONE = new Counts(0, 0, 0);

  /** All of them. */
  public long requests() {
    return admitted + refused + failed;
  }

  Counts plus(Counts other) {
    return new Counts(admitted + other.admitted, refused + other.refused, failed + other.failed);
  }

  Counts minus(Counts other) {
    return new Counts(admitted - other.admitted, refused - other.refused, failed - other.failed);
  }
}
