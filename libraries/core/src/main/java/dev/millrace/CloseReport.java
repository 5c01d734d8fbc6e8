package dev.millrace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a limiter could not write when it was closed.
 *
 * @param unwritten settlements that were given up
 * @param underWay writes that were not answered by then; listeners learn what becomes of them
 */
public record CloseReport(List<Unwritten> unwritten, int underWay) {
  /** Keeps the list as it is now. */
  public CloseReport {
    unwritten = List.copyOf(unwritten);
  }

  /** Whether everything was written. */
  public boolean isComplete() {
    return unwritten.isEmpty() && underWay == 0;
  }

  /**
   * A settlement that was given up.
   *
   * @param key the bucket
   * @param amounts what was to be charged; what was to be given back is negative
   * @param mayBeWritten whether it may be written all the same, because an answer was lost
   * @param failure the failure of the store, such as {@code TIMED_OUT}
   * @param cause what was thrown, if anything was
   */
  public record Unwritten(
      BucketKey key,
      Amounts amounts,
      boolean mayBeWritten,
      String failure,
      @Nullable Throwable cause) {}
}
