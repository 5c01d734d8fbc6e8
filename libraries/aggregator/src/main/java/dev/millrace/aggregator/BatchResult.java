package dev.millrace.aggregator;

import org.jspecify.annotations.Nullable;

/**
 * The result of a batch. A record is done when everything that follows from it is stored; a done
 * record need not be delivered again, and is harmless when it is.
 *
 * @param records the number of records
 * @param applied the number that added to usage
 * @param duplicates the number applied before
 * @param ignored the number without relevance here
 * @param poison the number that went to the dead letters
 * @param archived the number of audit events, now in the archive
 * @param firstFailed the sequence number of the first record that is not done, as the stream wrote
 *     it: from there on the batch must be delivered again. Null when all are done
 * @param failure the reason why it is not done, null when all are done
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
  /** Whether the whole batch is done. */
  public boolean isDone() {
    return firstFailed == null;
  }
}
