package dev.millrace.admin;

import dev.millrace.core.directory.EntityRecord;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who has limits.
 *
 * @param id by which it acquires
 * @param name for people, may be empty
 * @param parentId on whom it may also draw, null at the top
 * @param cascade whether an acquire also draws on the parent, unless a config says otherwise
 * @param disabled whether acquires are refused
 * @param metadata what the application remembers with it
 * @param children how many entities have it as their parent
 * @param createdAt when it was created
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
  /** Keeps the metadata as it is now. */
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
