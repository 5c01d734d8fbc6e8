package dev.millrace.admin;

import dev.millrace.Limit;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits of an (entity, resource) and the levels that they come from.
 *
 * @param entityId the entity
 * @param registered whether there is a record of the entity; limits do not need one
 * @param resource the resource
 * @param level the level that gives the limits, null when no level has any: then calls must bring
 *     them
 * @param limits the limits in effect
 * @param elsewhere by the name of a limit, the limits with that name at weaker levels, which have
 *     no effect
 * @param levels the configuration stored at each level, the strongest first; empty levels are left
 *     out
 * @param cascade whether acquires are charged to the parent too
 * @param cascadeFrom the origin of that: a config of {@code ENTITY_RESOURCE} or {@code RESOURCE},
 *     or the entity's own record as {@code ENTITY}; null when there is no such record
 * @param disabledByEntity whether acquires are refused because the entity is disabled
 * @param disabledByResource whether acquires are refused because the resource is disabled
 * @param ancestors the ancestors, the nearest first
 * @param versions of the records that were read: each grows with every change of its record
 */
public record LimitExplanation(
    String entityId,
    boolean registered,
    String resource,
    @Nullable ConfigLevel level,
    List<Limit> limits,
    Map<String, Map<ConfigLevel, Limit>> elsewhere,
    List<StoredLimits> levels,
    boolean cascade,
    @Nullable ConfigLevel cascadeFrom,
    boolean disabledByEntity,
    boolean disabledByResource,
    List<Ancestor> ancestors,
    RecordVersions versions) {
  public LimitExplanation {
    elsewhere = Map.copyOf(elsewhere);
    limits = List.copyOf(limits);
    levels = List.copyOf(levels);
    ancestors = List.copyOf(ancestors);
  }

  /**
   * An ancestor.
   *
   * @param drawnOn whether acquires of the entity are charged to it too
   * @param disabled whether it is disabled for this resource, so that such an acquire is refused
   */
  public record Ancestor(String entityId, boolean drawnOn, boolean disabled) {}
}
