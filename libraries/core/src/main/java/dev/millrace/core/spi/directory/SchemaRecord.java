package dev.millrace.core.spi.directory;

/**
 * The version of the table's schema.
 *
 * @param version what the table holds
 * @param oldest the oldest version of which it may hold buckets still; the version itself when
 *     everything older has been migrated
 */
public record SchemaRecord(long version, long oldest) implements StoredRecord {
  /** What this software reads and writes. */
  public static final long SUPPORTED = 3;

  /** Checks the order. */
  public SchemaRecord {
    if (oldest > version) {
      throw new IllegalArgumentException(
          "oldest version " + oldest + " must not be above the version " + version);
    }
  }

  /** A table without anything older. */
  public SchemaRecord(long version) {
    this(version, version);
  }

  /** Whether there may be buckets of an older version. */
  public boolean mayHoldOlder() {
    return oldest < version;
  }

  @Override
  public RecordKey key() {
    return new RecordKey.Schema();
  }
}
