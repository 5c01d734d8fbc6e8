package dev.millrace.admin;

import dev.millrace.NameRules;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entity to be created. {@code NewEntity.of("key-42").under("team-7").cascading()}.
 *
 * @param id the id that acquires name
 * @param name a display name, may be empty
 * @param parentId the parent, which is charged too if the entity cascades; null at the top
 * @param cascade whether acquires are charged to the parent too, unless stored configuration
 *     overrides it
 * @param metadata data of the application
 */
public record NewEntity(
    String id,
    String name,
    @Nullable String parentId,
    boolean cascade,
    Map<String, String> metadata) {
  /** Longest name. */
  public static final int MAX_NAME = 256;

  /** Most entries of the metadata. */
  public static final int MAX_METADATA = 32;

  /** Longest key of the metadata. */
  public static final int MAX_METADATA_KEY = 64;

  /** Longest value of the metadata. */
  public static final int MAX_METADATA_VALUE = 1_024;

  public NewEntity {
    NameRules.requireEntityId(id);
    requireName(name);
    if (parentId != null) {
      NameRules.requireEntityId(parentId);
    }
    metadata = requireMetadata(metadata);
  }

  /** An entity at the top, without a name, that does not cascade. */
  public static NewEntity of(String id) {
    return new NewEntity(id, "", null, /* cascade= */ false, Map.of());
  }

  /** The same with a name. */
  public NewEntity named(String value) {
    return new NewEntity(id, value, parentId, cascade, metadata);
  }

  /** The same below {@code parent}. */
  public NewEntity under(String parent) {
    return new NewEntity(id, name, parent, cascade, metadata);
  }

  /** The same, whose acquires are charged to the parent too. */
  public NewEntity cascading() {
    return new NewEntity(id, name, parentId, /* cascade= */ true, metadata);
  }

  /** The same with other metadata. */
  public NewEntity with(Map<String, String> value) {
    return new NewEntity(id, name, parentId, cascade, value);
  }

  static String requireName(String name) {
    if (name.length() > MAX_NAME) {
      throw new IllegalArgumentException(
          "name has " + name.length() + " characters, at most " + MAX_NAME + " allowed");
    }
    return name;
  }

  static Map<String, String> requireMetadata(Map<String, String> metadata) {
    if (metadata.size() > MAX_METADATA) {
      throw new IllegalArgumentException(
          "metadata has " + metadata.size() + " entries, at most " + MAX_METADATA + " allowed");
    }
    metadata.forEach(
        (key, value) -> {
          if (key.isEmpty() || key.length() > MAX_METADATA_KEY) {
            throw new IllegalArgumentException(
                "metadata key '"
                    + key
                    + "' must have from 1 to "
                    + MAX_METADATA_KEY
                    + " characters");
          }
          if (value.length() > MAX_METADATA_VALUE) {
            throw new IllegalArgumentException(
                "metadata '"
                    + key
                    + "' has "
                    + value.length()
                    + " characters, at most "
                    + MAX_METADATA_VALUE
                    + " allowed");
          }
        });
    return Map.copyOf(metadata);
  }
}
