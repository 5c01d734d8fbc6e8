package dev.millrace.testkit;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.RecordKey;

/** What is at a {@link Place}. */
sealed interface Holding {
  /** What its key begins with. */
  String namespace();

  /** Where it is in the table. */
  Place place();

  /** A bucket. */
  record OfBucket(BucketKey key) implements Holding {
    @Override
    public String namespace() {
      return key.namespace();
    }

    @Override
    public Place place() {
      return Places.of(key);
    }
  }

  /** A record. */
  record OfRecord(RecordKey key) implements Holding {
    @Override
    public String namespace() {
      return Places.namespaceOf(key);
    }

    @Override
    public Place place() {
      return Places.of(key);
    }
  }
}
