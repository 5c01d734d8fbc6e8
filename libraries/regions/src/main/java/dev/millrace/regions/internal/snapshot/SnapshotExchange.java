package dev.millrace.regions.internal.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * A place where each region publishes its last snapshot and reads those of the others. It may lose,
 * delay and repeat snapshots: each contains everything that the earlier ones did.
 *
 * <p>A failure is a value: that one region cannot be read does not stop the reading of the others.
 */
public interface SnapshotExchange {
  /** Replaces the last snapshot of {@code region} by {@code snapshot}. */
  PublishResult publish(String region, EncodedSnapshot snapshot);

  /**
   * The last snapshot of {@code region}.
   *
   * @param lastEtag the etag of the last snapshot found, or null
   */
  FetchResult fetch(String region, @Nullable String lastEtag);

  /** The result of publishing a snapshot. */
  sealed interface PublishResult {
    /** It is stored. */
    record Done() implements PublishResult {}

    /** It may or may not be stored. The next one contains everything that this one did. */
    record Failed(String message) implements PublishResult {}
  }

  /**
   * The result of reading another region's snapshot. In every case the region continues with what
   * it has.
   */
  sealed interface FetchResult {
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
}
