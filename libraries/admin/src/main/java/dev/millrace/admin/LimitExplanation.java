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
 * @param limits each limit and the limits with the same name at other levels
 * @param levels the configuration stored at each level, the strongest first; empty levels are left
 *     out
 * @param cascade whether acquires are charged to the parent too
 * @param disabled whether acquires are refused
 * @param ancestors the ancestors, the nearest first
 * @param versions of the records that were read: each grows with every change of its record
 */
public record LimitExplanation(
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
  /** Copies the lists. */
  public LimitExplanation {
    limits = List.copyOf(limits);
    levels = List.copyOf(levels);
    ancestors = List.copyOf(ancestors);
  }

  /**
   * The origin of a limit.
   *
   * @param limit the limit in effect
   * @param level the level that gave it
   * @param elsewhere limits with the same name at weaker levels, which have no effect
   */
  public record Origin(Limit limit, ConfigLevel level, Map<ConfigLevel, Limit> elsewhere) {
    /** Copies the map. */
    public Origin {
      elsewhere = Map.copyOf(elsewhere);
    }
  }

  /**
   * Whether acquires are charged to the parent too, and the record that says so.
   *
   * @param draws the answer
   * @param from the origin: a config of {@code ENTITY_RESOURCE} or {@code RESOURCE}, or the
   *     entity's own record as {@code ENTITY}; null when there is no such record
   */
  public record Cascade(boolean draws, @Nullable ConfigLevel from) {}

  /**
   * The switches that refuse acquires.
   *
   * @param byEntity because the entity is disabled
   * @param byResource because the resource is disabled
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
   * @param drawnOn whether acquires of the entity are charged to it too
   * @param disabled whether it is disabled for this resource, so that such an acquire is refused
   */
  public record Ancestor(String entityId, boolean drawnOn, boolean disabled) {}
}
