package dev.millrace.admin;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Changes of an entity; null leaves a field unchanged. {@code EntityUpdate.none().name("Team
 * 7").cascade(true)}.
 */
public record EntityUpdate(
    @Nullable String name, @Nullable Boolean cascade, @Nullable Map<String, String> metadata) {
  public EntityUpdate {
    if (name != null) {
      NewEntity.requireName(name);
    }
    metadata = metadata == null ? null : NewEntity.requireMetadata(metadata);
  }

  /** No change. */
  public static EntityUpdate none() {
    return new EntityUpdate(null, null, null);
  }

  /** Changes the name. */
  public EntityUpdate name(String value) {
    return new EntityUpdate(value, cascade, metadata);
  }

  /** Changes whether acquires are charged to the parent too. */
  public EntityUpdate cascade(boolean value) {
    return new EntityUpdate(name, value, metadata);
  }

  /** Replaces the metadata. */
  public EntityUpdate metadata(Map<String, String> value) {
    return new EntityUpdate(name, cascade, value);
  }
}
