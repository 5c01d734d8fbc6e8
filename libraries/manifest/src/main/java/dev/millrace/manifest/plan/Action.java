package dev.millrace.manifest.plan;

import dev.millrace.admin.EntityUpdate;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NewEntity;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.request.OnUnavailable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A change of the table, as a value. */
public sealed interface Action {
  /** Creates an entity. */
  record Create(NewEntity entity) implements Action {}

  /** Changes an entity. */
  record Update(String entityId, EntityUpdate update) implements Action {}

  /** Moves an entity, to the top when there is no parent. */
  record Move(String entityId, @Nullable String parent) implements Action {}

  /** Switches an entity off or on. */
  record SwitchEntity(String entityId, boolean disabled) implements Action {}

  /** Deletes an entity that the manifest made. */
  record Delete(String entityId) implements Action {}

  /** Sets the limits of a level. */
  record SetLimits(LimitTarget target, LimitSet limits) implements Action {}

  /** Shares limits with the other regions, beside some of this region's own. */
  record Share(LimitTarget target, LimitSet whole, List<Limit> own) implements Action {
    /** Keeps the limits as they are now. */
    public Share {
      own = List.copyOf(own);
    }
  }

  /** Deletes the limits of a level. */
  record DeleteLimits(LimitTarget target) implements Action {}

  /** Sets whether acquires are charged to the parent too, null to leave it to the entity. */
  record SetCascade(LimitTarget target, @Nullable Boolean cascade) implements Action {}

  /** Switches a resource off or on. */
  record SwitchResource(String resource, boolean disabled) implements Action {}

  /** Sets the answer of limiters when the store is unavailable. */
  record SetAway(OnUnavailable answer) implements Action {}

  /** Sets how long audit events are kept. */
  record SetAuditDays(int days) implements Action {}

  /** A change that cannot be made; the others can. */
  record Impossible(String reason) implements Action {}
}
