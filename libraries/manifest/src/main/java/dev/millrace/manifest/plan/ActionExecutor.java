package dev.millrace.manifest.plan;

import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.ProgressListener;
import dev.millrace.admin.SetOptions;
import dev.millrace.regions.allocation.AllocationPolicy;
import dev.millrace.regions.sync.RegionOperations;

/**
 * The execution of actions through the administration, which writes their audit events with them.
 */
final class ActionExecutor {
  private final NamespaceAdmin namespace;
  private final SetOptions options;

  ActionExecutor(NamespaceAdmin namespace, boolean allowOtherPeriods) {
    this.namespace = namespace;
    this.options = new SetOptions(allowOtherPeriods, ProgressListener.NONE);
  }

  void execute(ConfigAction action) {
    if (action instanceof ConfigAction.SetLimits set) {
      namespace.limits().set(set.target(), set.limits(), options);
    } else if (action instanceof ConfigAction.DeleteLimits delete) {
      namespace.limits().delete(delete.target());
    } else if (action instanceof ConfigAction.Share share) {
      new RegionOperations(namespace, AllocationPolicy.DEFAULT)
          .share(share.target(), share.whole(), share.own(), ProgressListener.NONE);
    } else if (action instanceof ConfigAction.SetCascade cascade) {
      namespace.limits().setCascade(cascade.target(), cascade.cascade());
    } else if (action instanceof ConfigAction.SwitchResource resource) {
      if (resource.disabled()) {
        namespace.switches().disableResource(resource.resource());
      } else {
        namespace.switches().enableResource(resource.resource());
      }
    } else if (action instanceof ConfigAction.SetAway away) {
      namespace.limits().setOnUnavailable(away.answer());
    } else if (action instanceof ConfigAction.SetAuditDays days) {
      namespace.limits().setAuditRetentionDays(days.days());
    } else if (action instanceof ConfigAction.Impossible impossible) {
      throw new IllegalArgumentException(impossible.reason());
    } else {
      entity(action);
    }
  }

  private void entity(ConfigAction action) {
    if (action instanceof ConfigAction.Update update) {
      namespace.entities().update(update.entityId(), update.update());
    } else if (action instanceof ConfigAction.Move move) {
      String parent = move.parent();
      if (parent == null) {
        namespace.entities().moveToTop(move.entityId());
      } else {
        namespace.entities().move(move.entityId(), parent);
      }
    } else if (action instanceof ConfigAction.SwitchEntity entity) {
      if (entity.disabled()) {
        namespace.switches().disableEntity(entity.entityId());
      } else {
        namespace.switches().enableEntity(entity.entityId());
      }
    } else if (action instanceof ConfigAction.Delete delete) {
      delete(delete.entityId());
    }
    // Entities are created before, many at a time.
  }

  private void delete(String entityId) {
    try {
      namespace.entities().delete(entityId);
    } catch (ChangeRefusedException e) {
      if (e.reason() != Reason.UNKNOWN_ENTITY) { // otherwise another process was faster
        throw e;
      }
    }
  }
}
