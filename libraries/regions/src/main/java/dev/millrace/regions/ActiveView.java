package dev.millrace.regions;

import dev.millrace.BucketKey;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An observer of every write of a bucket, such as a reader of the table's stream. With one, a
 * window examines what was written instead of all pairs.
 */
@FunctionalInterface
public interface ActiveView {
  /** An observer that sees nothing: the indexes are read. */
  ActiveView NONE = () -> null;

  /**
   * The buckets that were written since the last call; null when some may be missing, because the
   * view was interrupted, is late, or overflowed. Then the indexes are read, and observation starts
   * again from now.
   */
  @Nullable Set<BucketKey> drain();
}
