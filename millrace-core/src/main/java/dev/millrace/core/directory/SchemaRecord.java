package dev.millrace.core.directory;

/**
 * The version of the table's schema.
 *
 * @param version what the table holds
 */
public record SchemaRecord(long version) implements StoredRecord {
  /** What this software reads and writes. */
  public static final long SUPPORTED = 3;

  @Override
  public RecordKey key() {
    return new RecordKey.Schema();
  }
}
