package dev.millrace.core.spi.directory;

import dev.millrace.BucketKey;

/** One thing of a {@link Listing}. */
public sealed interface ListEntry {
  /** An entity, by its id. */
  record Entity(String entityId) implements ListEntry {}

  /** One shard of a bucket. */
  record Bucket(BucketKey key) implements ListEntry {}

  /** A record. */
  record Stored(StoredRecord record) implements ListEntry {}

  /**
   * An item of whatever kind.
   *
   * @param namespace what its key begins with
   */
  record Item(String namespace, ItemAddress address) implements ListEntry {}
}
