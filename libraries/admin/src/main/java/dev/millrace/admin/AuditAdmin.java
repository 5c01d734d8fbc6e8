package dev.millrace.admin;

import dev.millrace.admin.internal.AuditSubjects;
import dev.millrace.admin.internal.ListingPages;
import dev.millrace.admin.internal.NamespaceScope;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.Listing;

/** The audit events of a namespace, the newest first. Events are never changed; they expire. */
public final class AuditAdmin {
  private final NamespaceScope scope;

  AuditAdmin(NamespaceScope scope) {
    this.scope = scope;
  }

  /** Changes of an entity, its limits, its switch and its buckets. */
  public Page<AuditEntry> ofEntity(String entityId, AuditQuery query) {
    return ofSubject(AuditSubjects.ofEntity(entityId), query);
  }

  /** Changes of a resource's limits, cascade and switch. */
  public Page<AuditEntry> ofResource(String resource, AuditQuery query) {
    return ofSubject(AuditSubjects.ofResource(resource), query);
  }

  /** Changes of the namespace's own limits and settings. */
  public Page<AuditEntry> ofSystem(AuditQuery query) {
    return ofSubject(AuditSubjects.SYSTEM, query);
  }

  /** All changes. */
  public Page<AuditEntry> all(AuditQuery query) {
    return page(query, new Listing.AuditOfNamespace(scope.id(), query.fromId(), query.toId()));
  }

  Page<AuditEntry> ofSubject(String subject, AuditQuery query) {
    return page(
        query, new Listing.AuditOfSubject(scope.id(), subject, query.fromId(), query.toId()));
  }

  private Page<AuditEntry> page(AuditQuery query, Listing listing) {
    return ListingPages.ofRecords(
        scope, listing, query.pageSize(), query.cursor(), AuditEvent.class, AuditEntry::of);
  }
}
