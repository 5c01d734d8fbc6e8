package dev.millrace.admin;

import dev.millrace.NameRules;
import dev.millrace.admin.internal.AuditSubjects;
import dev.millrace.admin.internal.ListingPages;
import dev.millrace.admin.internal.NamespaceChanges;
import dev.millrace.admin.internal.NamespacePurge;
import dev.millrace.admin.internal.NamespaceScope;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.NamespaceRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The namespaces of a table. A name stands for an opaque id, with which every key begins; an id is
 * never given to another namespace, so a process that caches one for too long reaches no other
 * namespace.
 *
 * <p>The namespace {@code default} exists without being registered, under the id {@code default}.
 * Registering it makes it appear in the list, and lets it be deleted, recovered and purged like the
 * others. After a purge it is as before: existing, unregistered and empty. It is the only one whose
 * id is used again.
 *
 * <p>A deleted namespace refuses every look-up and keeps its data. Processes that looked it up
 * before continue until their caches expire; that is why purging has to wait.
 */
public final class Namespaces {
  private final NamespaceScope scope;
  private final NamespaceChanges changes;

  Namespaces(NamespaceScope scope) {
    this.scope = scope;
    this.changes = new NamespaceChanges(scope);
  }

  /** Registers a namespace. A name that exists is refused, also that of a deleted namespace. */
  public NamespaceView register(String name) {
    return NamespaceView.of(changes.register(NameRules.requireNamespace(name)));
  }

  /** The namespace of a name, in any state; empty when it is not registered. */
  public Optional<NamespaceView> get(String name) {
    return Optional.ofNullable(changes.find(name)).map(NamespaceView::of);
  }

  /** All registered namespaces, by name. */
  public Page<NamespaceView> list(int pageSize, @Nullable String cursor) {
    return ListingPages.ofRecords(
        scope,
        new Listing.Namespaces(),
        pageSize,
        cursor,
        NamespaceRecord.class,
        NamespaceView::of);
  }

  /** Deletes a namespace, softly: nothing of it is removed. */
  public NamespaceView delete(String name) {
    return NamespaceView.of(changes.delete(name));
  }

  /** Recovers a deleted namespace. */
  public NamespaceView recover(String name) {
    return NamespaceView.of(changes.recover(name));
  }

  /**
   * Removes all data of a deleted namespace for good, and finally its name. Scans the whole table.
   * If interrupted, it is resumed by calling it again.
   */
  public JobView purge(String name, ProgressListener progress) {
    return changes.purge(name, progress);
  }

  /** Counts the items stored under ids that no namespace has. Scans the whole table. */
  public OrphanReport orphans(ProgressListener progress) {
    return NamespacePurge.findOrphans(scope, progress);
  }

  /** Removes all items stored under an id that no namespace has. */
  public JobView purgeOrphans(String id, ProgressListener progress) {
    return NamespacePurge.purgeOrphans(scope, id, progress);
  }

  /** Audit events of one namespace. */
  public Page<AuditEntry> audit(String name, AuditQuery query) {
    return new AuditAdmin(scope).ofSubject(AuditSubjects.ofNamespace(name), query);
  }

  /** Audit events of all namespaces. */
  public Page<AuditEntry> audit(AuditQuery query) {
    return new AuditAdmin(scope).all(query);
  }

  /** The purge jobs. */
  public JobAdmin jobs() {
    return new JobAdmin(scope);
  }
}
