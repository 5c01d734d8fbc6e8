package dev.millrace.regions.sync;

import dev.millrace.core.bucket.BucketKey;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who sees every write of a bucket, such as a reader of the table's stream. With one, a
 * window looks at what was written and not at everything that there is.
 */
@FunctionalInterface
public interface ActiveView {
  /** Nobody watches: the indexes are asked. */
  ActiveView NONE = () -> null;

  /**
   * The buckets that were written since this was asked the last time; null when some may be
   * missing, because the view was cut off, is late, or had too much to remember. Then the indexes
   * are asked, and what it sees from now on counts again.
   */
  @Nullable Set<BucketKey> drain();
}
