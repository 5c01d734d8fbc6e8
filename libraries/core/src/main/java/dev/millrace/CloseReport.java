package dev.millrace;

import dev.millrace.core.spi.store.StoreFailure;
import java.util.List;

/**
 * What a limiter could not write when it was closed.
 *
 * @param unwritten settlements that were given up
 * @param underWay writes that were not answered by then; what becomes of them is told to listeners
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
   * @param failure why it could not be written
   */
  public record Unwritten(
      BucketKey key, Amounts amounts, boolean mayBeWritten, StoreFailure failure) {}
}
