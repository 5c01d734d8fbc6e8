package dev.millrace.admin;

import dev.millrace.admin.internal.Listings;
import dev.millrace.admin.internal.NamespaceChanges;
import dev.millrace.admin.internal.Orphans;
import dev.millrace.admin.internal.Scope;
import dev.millrace.admin.internal.Subjects;
import dev.millrace.core.directory.Listing;
import dev.millrace.core.directory.NamespaceRecord;
import dev.millrace.core.entity.Names;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The namespaces of a table. A name stands for an opaque id, with which every key begins; an id is
 * never given to another namespace, so whoever remembers one for too long reaches nobody else.
 *
 * <p>The namespace {@code default} exists without being registered, under the id {@code default}.
 * Registering it makes it appear in the list, and lets it be deleted, recovered and purged like the
 * others. Purged, it is again what it was before: there, unregistered and empty. It is the only one
 * whose id is used again.
 *
 * <p>Deleted, a namespace refuses everybody who looks it up, and keeps everything. Those who had
 * looked it up before go on until their caches forget it; that is why purging has to wait.
 */
public final class Namespaces {
  private final Scope scope;
  private final NamespaceChanges changes;

  Namespaces(Scope scope) {
    this.scope = scope;
    this.changes = new NamespaceChanges(scope);
  }

  /** Registers a namespace. A name that is taken is refused, also by a deleted namespace. */
  public NamespaceView register(String name) {
    return NamespaceView.of(changes.register(Names.requireNamespace(name)));
  }

  /** The namespace of a name, in whatever state; empty when it is not registered. */
  public Optional<NamespaceView> get(String name) {
    return Optional.ofNullable(changes.find(name)).map(NamespaceView::of);
  }

  /** All registered namespaces, by name. */
  public Page<NamespaceView> list(int pageSize, @Nullable String cursor) {
    return Listings.ofRecords(
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

  /** Takes a deletion back. */
  public NamespaceView recover(String name) {
    return NamespaceView.of(changes.recover(name));
  }

  /**
   * Removes everything of a deleted namespace for good, and at last its name. Reads all of the
   * table. Interrupted, it is resumed by calling it again.
   */
  public JobResult purge(String name, Progress progress) {
    return changes.purge(name, progress);
  }

  /** Counts what is stored under ids that no namespace has. Reads all of the table. */
  public OrphanReport orphans(Progress progress) {
    return new Orphans(scope).find(progress);
  }

  /** Removes everything that is stored under an id that no namespace has. */
  public JobResult purgeOrphans(String id, Progress progress) {
    return new Orphans(scope).purge(id, progress);
  }

  /** Changes of one namespace. */
  public Page<AuditEntry> audit(String name, AuditQuery query) {
    return new AuditAdmin(scope).ofSubject(Subjects.ofNamespace(name), query);
  }

  /** Changes of all namespaces. */
  public Page<AuditEntry> audit(AuditQuery query) {
    return new AuditAdmin(scope).all(query);
  }

  /** The purges. */
  public JobAdmin jobs() {
    return new JobAdmin(scope);
  }
}
