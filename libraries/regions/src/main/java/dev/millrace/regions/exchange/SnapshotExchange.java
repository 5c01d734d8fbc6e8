package dev.millrace.regions.exchange;

import dev.millrace.regions.snapshot.EncodedSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A place where each region leaves its last snapshot and finds those of the others. It may lose,
 * delay and repeat them as it likes: what is in the next one covers what was in the last.
 *
 * <p>A failure is a value: that one region cannot be read is no reason not to read the others.
 */
public interface SnapshotExchange {
  /** Puts {@code snapshot} in the place of the last one of {@code region}. */
  Published publish(String region, EncodedSnapshot snapshot);

  /**
   * The last snapshot of {@code region}.
   *
   * @param lastEtag of what was found the last time, or null
   */
  Fetched fetch(String region, @Nullable String lastEtag);
}
