package dev.millrace.testkit.internal.memory;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.RecordKey;

/** The bucket or record at a {@link TablePosition}. */
public sealed interface TableEntry {
  /** What its key begins with. */
  String namespace();

  /** Where it is in the table. */
  TablePosition place();

  /** A bucket. */
  record OfBucket(BucketKey key) implements TableEntry {
    @Override
    public String namespace() {
      return key.namespace();
    }

    @Override
    public TablePosition place() {
      return TableLayout.of(key);
    }
  }

  /** A record. */
  record OfRecord(RecordKey key) implements TableEntry {
    @Override
    public String namespace() {
      return TableLayout.namespaceOf(key);
    }

    @Override
    public TablePosition place() {
      return TableLayout.of(key);
    }
  }
}
