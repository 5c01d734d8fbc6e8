package dev.millrace.admin;

import dev.millrace.admin.internal.Scope;
import dev.millrace.core.usage.UsageStore;

/**
 * One namespace. Nothing that is asked or changed through it is in another one. Its id is looked up
 * when it is first needed, and again every minute.
 */
public final class NamespaceAdmin {
  private final Scope scope;

  NamespaceAdmin(Scope scope) {
    this.scope = scope;
  }

  /** The same, changed by somebody else. */
  public NamespaceAdmin as(String actor) {
    return new NamespaceAdmin(scope.as(AdminOptions.requireActor(actor)));
  }

  /** Who has limits, and who is below whom. */
  public EntityAdmin entities() {
    return new EntityAdmin(scope);
  }

  /** The stored limits, and what else is stored beside them. */
  public LimitAdmin limits() {
    return new LimitAdmin(scope);
  }

  /** What is switched off and on. */
  public SwitchAdmin switches() {
    return new SwitchAdmin(scope);
  }

  /** Single buckets. */
  public BucketAdmin buckets() {
    return new BucketAdmin(scope);
  }

  /** What regions that share limits keep. */
  public RegionAdmin regions() {
    return new RegionAdmin(scope);
  }

  /** What a manifest of this name manages. */
  public ManagedAdmin managed(String manifest) {
    return new ManagedAdmin(scope, manifest);
  }

  /** Who changed what. */
  public AuditAdmin audit() {
    return new AuditAdmin(scope);
  }

  /** Long work that was begun. */
  public JobAdmin jobs() {
    return new JobAdmin(scope);
  }

  /** How much of a resource is used and available. */
  public CapacityAdmin capacity() {
    return new CapacityAdmin(scope);
  }

  /** What was used, as an aggregator has counted it into {@code store}. */
  public UsageAdmin usage(UsageStore store) {
    return new UsageAdmin(scope, store);
  }
}
