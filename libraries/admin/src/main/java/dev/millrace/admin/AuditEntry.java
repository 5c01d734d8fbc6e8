package dev.millrace.admin;

import dev.millrace.core.spi.directory.AuditEvent;
import java.time.Instant;
import java.util.Map;

/**
 * A change and its author.
 *
 * @param id sorts by time
 * @param subject what was changed: an entity's id, {@code $RESOURCE:…}, {@code $SYSTEM}, {@code
 *     $NAMESPACE:…}
 * @param at the time of the change
 * @param actor the author
 * @param action the kind of change, as {@code limits.set}
 * @param before the values before, by field; empty when there were none
 * @param after the values after, by field; empty when there are none
 * @param expiresAt until when the event is kept
 */
public record AuditEntry(
    String id,
    String subject,
    Instant at,
    String actor,
    String action,
    Map<String, String> before,
    Map<String, String> after,
    Instant expiresAt) {
  static AuditEntry of(AuditEvent event) {
    return new AuditEntry(
        event.key().id(),
        event.key().subject(),
        Instant.ofEpochMilli(event.atMs()),
        event.actor(),
        event.action(),
        event.before(),
        event.after(),
        Instant.ofEpochSecond(event.expiresAtSeconds()));
  }
}
