package dev.millrace.admin;

import dev.millrace.admin.internal.ConfigChanges;
import dev.millrace.admin.internal.EntityChanges;
import dev.millrace.admin.internal.NamespaceScope;
import dev.millrace.core.internal.NameRules;
import dev.millrace.core.spi.directory.RecordKey;

/**
 * The switches that disable and enable entities and resources. A disabled one refuses every acquire
 * with an answer of its own; limits and balances stay. Every existing bucket is updated before the
 * call returns.
 */
public final class SwitchAdmin {
  private final NamespaceScope scope;

  SwitchAdmin(NamespaceScope scope) {
    this.scope = scope;
  }

  /** Refuses every acquire of an entity, and every acquire that is charged to it. */
  public ChangeResult disableEntity(String entityId) {
    return entity(entityId, /* disabled= */ true, ProgressListener.NONE);
  }

  /** Admits acquires of an entity again. */
  public ChangeResult enableEntity(String entityId) {
    return entity(entityId, /* disabled= */ false, ProgressListener.NONE);
  }

  /**
   * Refuses every acquire of a resource: see {@link #disableResource(String, ProgressListener)}.
   */
  public ChangeResult disableResource(String resource) {
    return disableResource(resource, ProgressListener.NONE);
  }

  /** Refuses every acquire of a resource, for all entities. */
  public ChangeResult disableResource(String resource, ProgressListener progress) {
    return resource(resource, /* disabled= */ true, progress);
  }

  /** Admits acquires of a resource again: see {@link #enableResource(String, ProgressListener)}. */
  public ChangeResult enableResource(String resource) {
    return enableResource(resource, ProgressListener.NONE);
  }

  /** Admits acquires of a resource again. */
  public ChangeResult enableResource(String resource, ProgressListener progress) {
    return resource(resource, /* disabled= */ false, progress);
  }

  private ChangeResult entity(String entityId, boolean disabled, ProgressListener progress) {
    return new EntityChanges(scope)
        .disable(NameRules.requireEntityId(entityId), disabled, progress);
  }

  private ChangeResult resource(String resource, boolean disabled, ProgressListener progress) {
    return new ConfigChanges(scope)
        .disable(RecordKey.Config.ofResource(scope.id(), resource), disabled, progress);
  }
}
