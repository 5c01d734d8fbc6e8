package dev.millrace.admin;

import dev.millrace.core.directory.AuditEvent;
import java.time.Instant;
import java.util.Map;

/**
 * A change, and who made it.
 *
 * @param id sorts by time
 * @param subject about whom: an entity's id, {@code $RESOURCE:…}, {@code $SYSTEM}, {@code
 *     $NAMESPACE:…}
 * @param at when
 * @param actor who
 * @param action what, as {@code limits.set}
 * @param before what was there, by field; empty when there was nothing
 * @param after what is there now, by field; empty when there is nothing
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
