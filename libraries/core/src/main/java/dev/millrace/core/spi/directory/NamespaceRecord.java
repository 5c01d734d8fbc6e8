package dev.millrace.core.spi.directory;

/**
 * A namespace. Stored twice, by name and by id, always changed in one transaction.
 *
 * @param name as people call it
 * @param id what every key of its records begins with; never used again for another one
 * @param changedAtMs when it came into its state
 */
public record NamespaceRecord(
    RecordKey key, long version, String name, String id, State state, long changedAtMs)
    implements StoredRecord {
  /** What has become of it. */
  public enum State {
    /** In use. */
    ACTIVE,
    /** Refuses everybody, and can be recovered. */
    DELETED,
    /** Its records are being removed for good. */
    PURGING
  }
}
