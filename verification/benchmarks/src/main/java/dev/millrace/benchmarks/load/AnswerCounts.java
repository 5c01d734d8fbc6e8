package dev.millrace.benchmarks.load;

/**
 * Answers, counted.
 *
 * @param admitted requests that were granted
 * @param refused requests that a limit refused
 * @param failed requests that could not be decided
 */
public record AnswerCounts(long admitted, long refused, long failed) {
  /** Nothing yet. */
  public static final AnswerCounts NONE = new AnswerCounts(0, 0, 0);

  /** All of them. */
  public long requests() {
    return admitted + refused + failed;
  }

  AnswerCounts plus(AnswerCounts other) {
    return new AnswerCounts(
        admitted + other.admitted, refused + other.refused, failed + other.failed);
  }

  AnswerCounts minus(AnswerCounts other) {
    return new AnswerCounts(
        admitted - other.admitted, refused - other.refused, failed - other.failed);
  }
}
