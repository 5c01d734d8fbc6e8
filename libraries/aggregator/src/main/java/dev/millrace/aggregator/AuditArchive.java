package dev.millrace.aggregator;

import dev.millrace.core.directory.AuditEvent;
import java.util.List;

/**
 * Where audit events are kept when the table forgets them. What is put here is safe when {@link
 * #put} returns. The same event may be put more than once, by several workers at once, and must be
 * in the archive once: its key says which it is.
 */
public interface AuditArchive {
  /**
   * Keeps {@code events}, of which there is at least one, of any namespaces.
   *
   * @throws RuntimeException when they are not all safe: the batch then fails and comes again
   */
  void put(List<AuditEvent> events);
}
