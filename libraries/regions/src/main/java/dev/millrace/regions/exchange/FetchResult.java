package dev.millrace.regions.exchange;

import dev.millrace.regions.snapshot.EncodedSnapshot;

/**
 * The result of reading another region's snapshot. In every case the region continues with what it
 * has.
 */
public sealed interface FetchResult {
  /** Unchanged since the last read. */
  record NotModified() implements FetchResult {}

  /** Not published yet. */
  record Missing() implements FetchResult {}

  /**
   * A new snapshot. Nothing of it has been checked.
   *
   * @param etag to be given at the next read
   */
  record Found(EncodedSnapshot snapshot, String etag) implements FetchResult {}

  /** Larger than any valid snapshot, and not read. */
  record TooLarge(String message) implements FetchResult {}

  /** The read failed. */
  record Failed(String message) implements FetchResult {}
}
