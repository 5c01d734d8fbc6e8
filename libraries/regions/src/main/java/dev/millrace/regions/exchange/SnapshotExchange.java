package dev.millrace.regions.exchange;

import dev.millrace.regions.snapshot.EncodedSnapshot;
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
}
