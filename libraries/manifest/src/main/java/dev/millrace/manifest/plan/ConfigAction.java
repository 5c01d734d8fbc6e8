package dev.millrace.manifest.plan;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import dev.millrace.admin.EntityUpdate;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NewEntity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A change of the table, as a value. */
public sealed interface ConfigAction {
  /** Creates an entity. */
  record Create(NewEntity entity) implements ConfigAction {}

  /** Changes an entity. */
  record Update(String entityId, EntityUpdate update) implements ConfigAction {}

  /** Moves an entity, to the top when there is no parent. */
  record Move(String entityId, @Nullable String parent) implements ConfigAction {}

  /** Switches an entity off or on. */
  record SwitchEntity(String entityId, boolean disabled) implements ConfigAction {}

  /** Deletes an entity that the manifest made. */
  record Delete(String entityId) implements ConfigAction {}

  /** Sets the limits of a level. */
  record SetLimits(LimitTarget target, LimitSet limits) implements ConfigAction {}

  /** Shares limits with the other regions, beside some of this region's own. */
  record Share(LimitTarget target, LimitSet whole, List<Limit> own) implements ConfigAction {
    /** Copies the limits. */
    public Share {
      own = List.copyOf(own);
    }
  }

  /** Deletes the limits of a level. */
  record DeleteLimits(LimitTarget target) implements ConfigAction {}

  /** Sets whether acquires are charged to the parent too, null to leave it to the entity. */
  record SetCascade(LimitTarget target, @Nullable Boolean cascade) implements ConfigAction {}

  /** Switches a resource off or on. */
  record SwitchResource(String resource, boolean disabled) implements ConfigAction {}

  /** Sets the answer of limiters when the store is unavailable. */
  record SetAway(OnUnavailable answer) implements ConfigAction {}

  /** Sets how long audit events are kept. */
  record SetAuditDays(int days) implements ConfigAction {}

  /** A change that cannot be made; the others can. */
  record Impossible(String reason) implements ConfigAction {}
}
