package dev.millrace.aggregator;

import org.jspecify.annotations.Nullable;

/**
 * What became of a batch. A record is done when everything that follows from it is stored; what was
 * done need not come again, and does no harm when it does.
 *
 * @param records how many there were
 * @param applied how many of them added to usage
 * @param duplicates how many had been applied before
 * @param ignored how many were of no interest here
 * @param poison how many went to the dead letters
 * @param archived how many were audit events, now in the archive
 * @param firstFailed the sequence number of the first record that is not done, as the stream wrote
 *     it: from there on the batch must come again. Null when all are done
 * @param failure why it is not, null when all are done
 */
public record BatchResult(
    int records,
    int applied,
    int duplicates,
    int ignored,
    int poison,
    int archived,
    @Nullable String firstFailed,
    @Nullable Throwable failure) {
  /** Whether nothing of the batch need come again. */
  public boolean isDone() {
    return firstFailed == null;
  }
}
