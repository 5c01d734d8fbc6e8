package dev.millrace.core.spi.directory;

import java.util.Map;

/**
 * A change, and who made it.
 *
 * @param atMs when
 * @param actor who, as the application said
 * @param action what, as {@code limits.set}
 * @param before what was there, by field; empty when there was nothing
 * @param after what is there now, by field; empty when there is nothing
 * @param expiresAtSeconds until when it is kept
 */
public record AuditEvent(
    RecordKey.Audit key,
    long atMs,
    String actor,
    String action,
    Map<String, String> before,
    Map<String, String> after,
    long expiresAtSeconds)
    implements StoredRecord {
  /** Keeps the maps as they are now. */
  public AuditEvent {
    before = Map.copyOf(before);
    after = Map.copyOf(after);
  }

  /** An event is written once. */
  @Override
  public long version() {
    return 1;
  }
}
