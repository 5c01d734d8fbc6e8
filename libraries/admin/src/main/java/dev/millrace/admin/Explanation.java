package dev.millrace.admin;

import dev.millrace.core.config.ConfigLevel;
import dev.millrace.core.config.RecordVersions;
import dev.millrace.core.limit.Limit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why an (entity, resource) has the limits it has.
 *
 * @param entityId the entity
 * @param registered whether there is a record of the entity; limits do not need one
 * @param resource the resource
 * @param level the level that gives the limits, null when none has any: then calls must bring them
 * @param limits each limit and what the other levels say about one of its name
 * @param levels what is stored at each level, the strongest first; levels with nothing left out
 * @param cascade whether an acquire also draws on the parent
 * @param disabled whether acquires are refused
 * @param ancestors the ancestors, the nearest first
 * @param versions of the records that were looked at: each grows with every change of its record
 */
public record Explanation(
    String entityId,
    boolean registered,
    String resource,
    @Nullable ConfigLevel level,
    List<Origin> limits,
    List<StoredLimits> levels,
    Cascade cascade,
    Switch disabled,
    List<Ancestor> ancestors,
    RecordVersions versions) {
  /** Keeps the lists as they are now. */
  public Explanation {
    limits = List.copyOf(limits);
    levels = List.copyOf(levels);
    ancestors = List.copyOf(ancestors);
  }

  /**
   * Where a limit comes from.
   *
   * @param limit the limit that holds
   * @param level the level that gave it
   * @param elsewhere limits of the same name at weaker levels, which do not count
   */
  public record Origin(Limit limit, ConfigLevel level, Map<ConfigLevel, Limit> elsewhere) {
    /** Keeps the map as it is now. */
    public Origin {
      elsewhere = Map.copyOf(elsewhere);
    }
  }

  /**
   * Whether an acquire also draws on the parent.
   *
   * @param draws the answer
   * @param from what gave it: a config of {@code ENTITY_RESOURCE} or {@code RESOURCE}, or the
   *     entity's own record as {@code ENTITY}; null when there is no such record
   */
  public record Cascade(boolean draws, @Nullable ConfigLevel from) {}

  /**
   * Whether acquires are refused.
   *
   * @param byEntity because the entity is switched off
   * @param byResource because the resource is switched off
   */
  public record Switch(boolean byEntity, boolean byResource) {
    /** Whether acquires are refused. */
    public boolean isOff() {
      return byEntity || byResource;
    }
  }

  /**
   * An ancestor.
   *
   * @param drawnOn whether an acquire of the entity draws on it too
   * @param disabled whether it is switched off for this resource, so that such an acquire is
   *     refused
   */
  public record Ancestor(String entityId, boolean drawnOn, boolean disabled) {}
}
