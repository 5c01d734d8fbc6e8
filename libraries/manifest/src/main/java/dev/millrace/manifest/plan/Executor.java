package dev.millrace.manifest.plan;

import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.Progress;
import dev.millrace.admin.SetOptions;
import dev.millrace.regions.allocation.AllocationPolicy;
import dev.millrace.regions.sync.Regions;

/**
 * The execution of actions through the administration, which writes their audit events with them.
 */
final class Executor {
  private final NamespaceAdmin namespace;
  private final SetOptions options;

  Executor(NamespaceAdmin namespace, boolean allowOtherPeriods) {
    this.namespace = namespace;
    this.options = new SetOptions(allowOtherPeriods, Progress.NONE);
  }

  void execute(Action action) {
    if (action instanceof Action.SetLimits set) {
      namespace.limits().set(set.target(), set.limits(), options);
    } else if (action instanceof Action.DeleteLimits delete) {
      namespace.limits().delete(delete.target());
    } else if (action instanceof Action.Share share) {
      new Regions(namespace, AllocationPolicy.DEFAULT)
          .share(share.target(), share.whole(), share.own(), Progress.NONE);
    } else if (action instanceof Action.SetCascade cascade) {
      namespace.limits().setCascade(cascade.target(), cascade.cascade());
    } else if (action instanceof Action.SwitchResource resource) {
      if (resource.disabled()) {
        namespace.switches().disableResource(resource.resource());
      } else {
        namespace.switches().enableResource(resource.resource());
      }
    } else if (action instanceof Action.SetAway away) {
      namespace.limits().setOnUnavailable(away.answer());
    } else if (action instanceof Action.SetAuditDays days) {
      namespace.limits().setAuditRetentionDays(days.days());
    } else if (action instanceof Action.Impossible impossible) {
      throw new IllegalArgumentException(impossible.reason());
    } else {
      entity(action);
    }
  }

  private void entity(Action action) {
    if (action instanceof Action.Update update) {
      namespace.entities().update(update.entityId(), update.update());
    } else if (action instanceof Action.Move move) {
      String parent = move.parent();
      if (parent == null) {
        namespace.entities().moveToTop(move.entityId());
      } else {
        namespace.entities().move(move.entityId(), parent);
      }
    } else if (action instanceof Action.SwitchEntity entity) {
      if (entity.disabled()) {
        namespace.switches().disableEntity(entity.entityId());
      } else {
        namespace.switches().enableEntity(entity.entityId());
      }
    } else if (action instanceof Action.Delete delete) {
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
