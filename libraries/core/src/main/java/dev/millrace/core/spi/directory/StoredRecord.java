package dev.millrace.core.spi.directory;

/** A record beside the buckets, as it is stored. */
public sealed interface StoredRecord
    permits EntityRecord, ConfigRecord, NamespaceRecord, AuditEvent, JobRecord, SchemaRecord {
  /** Which one. */
  RecordKey key();

  /** Grows by one with every change: the lock of whoever read it and wants to change it. */
  long version();
}
