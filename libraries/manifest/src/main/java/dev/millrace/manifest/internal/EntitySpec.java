package dev.millrace.manifest.internal;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of an entity.
 *
 * @param id its id
 * @param recorded whether it should have a record; without one it only has limits
 * @param name a display name, null to leave it
 * @param parent its parent, null at the top
 * @param cascade whether acquires are charged to the parent too
 * @param disabled whether acquires are refused, null to leave it: an entity that was disabled in an
 *     emergency is not enabled by the next apply
 * @param metadata data of the application, null to leave it
 * @param own its limits for any resource
 * @param resources its limits for each resource
 */
public record EntitySpec(
    String id,
    boolean recorded,
    @Nullable String name,
    @Nullable String parent,
    boolean cascade,
    @Nullable Boolean disabled,
    @Nullable SortedMap<String, String> metadata,
    LevelSpec own,
    SortedMap<String, LevelSpec> resources) {
  /** The prefix of reserved metadata keys. */
  public static final String RESERVED = "millrace.";

  public EntitySpec {
    metadata = metadata == null ? null : Collections.unmodifiableSortedMap(new TreeMap<>(metadata));
    resources = Collections.unmodifiableSortedMap(new TreeMap<>(resources));
  }

  /** An entity at the top with limits for some resources. */
  public static EntitySpec of(String id, Map<String, LevelSpec> resources) {
    return new EntitySpec(
        id, true, null, null, false, null, null, LevelSpec.NOTHING, new TreeMap<>(resources));
  }
}
