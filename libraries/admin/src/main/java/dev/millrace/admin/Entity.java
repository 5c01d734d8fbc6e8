package dev.millrace.admin;

import dev.millrace.core.spi.directory.EntityRecord;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An entity: an API key, a user, a team, anything that has limits.
 *
 * @param id the id that acquires name
 * @param name a display name, may be empty
 * @param parentId the parent, which is charged too if the entity cascades; null at the top
 * @param cascade whether acquires are charged to the parent too, unless stored configuration
 *     overrides it
 * @param disabled whether acquires are refused
 * @param metadata data of the application
 * @param children the number of entities that have it as their parent
 * @param createdAt the time of creation
 * @param version grows with every change
 */
public record Entity(
    String id,
    String name,
    @Nullable String parentId,
    boolean cascade,
    boolean disabled,
    Map<String, String> metadata,
    long children,
    Instant createdAt,
    long version) {
  public Entity {
    metadata = Map.copyOf(metadata);
  }

  static Entity of(EntityRecord record) {
    return new Entity(
        record.key().entityId(),
        record.name(),
        record.parentId(),
        record.cascade(),
        record.disabled(),
        record.metadata(),
        record.children(),
        Instant.ofEpochMilli(record.createdAtMs()),
        record.version());
  }
}
