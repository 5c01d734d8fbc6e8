package dev.millrace.admin;

import dev.millrace.admin.internal.ManagedAdmin;
import dev.millrace.admin.internal.NamespaceScope;
import dev.millrace.admin.internal.RegionAdmin;
import dev.millrace.core.spi.usage.UsageStore;

/**
 * The administration of one namespace. Nothing that is read or changed through it is in another
 * one. Its id is looked up at first use, and again every minute.
 */
public final class NamespaceAdmin {
  private final NamespaceScope scope;

  NamespaceAdmin(NamespaceScope scope) {
    this.scope = scope;
  }

  /** The same namespace, with changes attributed to another actor. */
  public NamespaceAdmin as(String actor) {
    return new NamespaceAdmin(scope.as(AdminOptions.requireActor(actor)));
  }

  /** The entities and their tree. */
  public EntityAdmin entities() {
    return new EntityAdmin(scope);
  }

  /** The stored limits and settings. */
  public LimitAdmin limits() {
    return new LimitAdmin(scope);
  }

  /** Single buckets. */
  public BucketAdmin buckets() {
    return new BucketAdmin(scope);
  }

  /** The records of regions that share limits. */
  public RegionAdmin regions() {
    return new RegionAdmin(scope);
  }

  /** The record of what the manifest of this name manages. */
  public ManagedAdmin managed(String manifest) {
    return new ManagedAdmin(scope, manifest);
  }

  /** The audit events. */
  public AuditAdmin audit() {
    return new AuditAdmin(scope);
  }

  /** The jobs. */
  public JobAdmin jobs() {
    return new JobAdmin(scope);
  }

  /** The usage that an aggregator has counted into {@code store}. */
  public UsageAdmin usage(UsageStore store) {
    return new UsageAdmin(scope, store);
  }
}
