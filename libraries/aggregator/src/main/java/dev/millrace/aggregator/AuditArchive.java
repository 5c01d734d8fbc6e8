package dev.millrace.aggregator;

import dev.millrace.core.spi.directory.AuditEvent;
import java.util.List;

/**
 * A durable store of audit events that outlives their expiry in the table. Events are durable when
 * {@link #put} returns. The same event may be put more than once, by several workers at once, and
 * must be in the archive once: its key identifies it.
 */
public interface AuditArchive {
  /**
   * Stores {@code events}, at least one, of any namespaces.
   *
   * @throws RuntimeException when they are not all durable: the batch then fails and is delivered
   *     again
   */
  void put(List<AuditEvent> events);
}
