package dev.millrace.manifest;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of an entity.
 *
 * @param id who
 * @param recorded whether there is to be a record of it; without one it only has limits
 * @param name for people, null to leave it
 * @param parent below whom, null at the top
 * @param cascade whether an acquire also draws on the parent
 * @param disabled whether acquires are refused, null to leave it: a switch that was thrown in need
 *     is not thrown back by the next apply
 * @param metadata what the application remembers, null to leave it
 * @param own its limits for whatever resource
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
  /** What keys of metadata begin with that are not the application's. */
  public static final String RESERVED = "millrace.";

  /** Keeps copies. */
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
