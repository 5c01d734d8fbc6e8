package dev.millrace.manifest.internal;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.EntityUpdate;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.NewEntity;
import dev.millrace.admin.ProgressListener;
import dev.millrace.admin.SetOptions;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.RegionOperations;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A change of the table, as a value, which the administration makes with its audit event. */
public sealed interface ConfigAction {
  default void run(NamespaceAdmin namespace, SetOptions options) {}

  /** Creates an entity; done before the others, many at a time. */
  record Create(NewEntity entity) implements ConfigAction {}

  /** Changes an entity. */
  record Update(String entityId, EntityUpdate update) implements ConfigAction {
    @Override
    public void run(NamespaceAdmin namespace, SetOptions options) {
      namespace.entities().update(entityId, update);
    }
  }

  /** Moves an entity, to the top when there is no parent. */
  record Move(String entityId, @Nullable String parent) implements ConfigAction {
    @Override
    public void run(NamespaceAdmin namespace, SetOptions options) {
      if (parent == null) {
        namespace.entities().moveToTop(entityId);
      } else {
        namespace.entities().move(entityId, parent);
      }
    }
  }

  /** Disables or enables an entity. */
  record SwitchEntity(String entityId, boolean disabled) implements ConfigAction {
    @Override
    public void run(NamespaceAdmin namespace, SetOptions options) {
      namespace.entities().setDisabled(entityId, disabled);
    }
  }

  /** Deletes an entity that the manifest made. */
  record Delete(String entityId) implements ConfigAction {
    @Override
    public void run(NamespaceAdmin namespace, SetOptions options) {
      try {
        namespace.entities().delete(entityId);
      } catch (ChangeRefusedException e) {
        if (e.reason() != Reason.UNKNOWN_ENTITY) { // otherwise another process was faster
          throw e;
        }
      }
    }
  }

  /** Sets the limits of a level. */
  record SetLimits(LimitTarget target, LimitSet limits) implements ConfigAction {
    @Override
    public void run(NamespaceAdmin namespace, SetOptions options) {
      namespace.limits().set(target, limits, options);
    }
  }

  /** Shares limits with the other regions, beside some of this region's own. */
  record Share(LimitTarget target, LimitSet whole, List<Limit> own) implements ConfigAction {
    @Override
    public void run(NamespaceAdmin namespace, SetOptions options) {
      new RegionOperations(namespace, AllocationPolicy.DEFAULT)
          .share(target, whole, own, ProgressListener.NONE);
    }
  }

  /** Deletes the limits of a level. */
  record DeleteLimits(LimitTarget target) implements ConfigAction {
    @Override
    public void run(NamespaceAdmin namespace, SetOptions options) {
      namespace.limits().delete(target);
    }
  }

  /** Sets whether acquires are charged to the parent too, null to leave it to the entity. */
  record SetCascade(LimitTarget target, @Nullable Boolean cascade) implements ConfigAction {
    @Override
    public void run(NamespaceAdmin namespace, SetOptions options) {
      namespace.limits().setCascade(target, cascade);
    }
  }

  /** Disables or enables a resource. */
  record SwitchResource(String resource, boolean disabled) implements ConfigAction {
    @Override
    public void run(NamespaceAdmin namespace, SetOptions options) {
      namespace.limits().setDisabled(resource, disabled, ProgressListener.NONE);
    }
  }

  /** Sets the answer of limiters when the store is unavailable. */
  record SetOnUnavailable(OnUnavailable answer) implements ConfigAction {
    @Override
    public void run(NamespaceAdmin namespace, SetOptions options) {
      namespace.limits().setOnUnavailable(answer);
    }
  }

  /** Sets how long audit events are kept. */
  record SetAuditDays(int days) implements ConfigAction {
    @Override
    public void run(NamespaceAdmin namespace, SetOptions options) {
      namespace.limits().setAuditRetentionDays(days);
    }
  }

  /** A change that cannot be made; the others can. */
  record Impossible(String reason) implements ConfigAction {
    @Override
    public void run(NamespaceAdmin namespace, SetOptions options) {
      throw new IllegalArgumentException(reason);
    }
  }
}
