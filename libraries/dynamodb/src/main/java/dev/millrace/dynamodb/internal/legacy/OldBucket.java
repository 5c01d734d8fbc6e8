package dev.millrace.dynamodb.internal.legacy;

import dev.millrace.BucketKey;
import java.util.List;

/**
 * A bucket as an older schema has it.
 *
 * @param key which bucket
 * @param version the schema version: 1 for an item for each limit, 2 for one for all
 * @param limits in the order of their names
 * @param expires whether the store may forget it
 */
public record OldBucket(BucketKey key, int version, List<OldLimit> limits, boolean expires) {
  /** An item for each limit. */
  public static final int PER_LIMIT = 1;

  /** One item for all limits. */
  public static final int COMPOSITE = 2;

  /** Keeps the limits as they are now. */
  public OldBucket {
    limits = List.copyOf(limits);
  }
}
