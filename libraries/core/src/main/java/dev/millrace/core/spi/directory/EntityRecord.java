package dev.millrace.core.spi.directory;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who has limits: a key, a team, an organisation.
 *
 * @param name for people, may be empty
 * @param parentId on whom it may also draw, null at the top
 * @param ancestorsHint its ancestors when the parent was last set, the nearest first. Those above
 *     may have moved since: it saves round trips to whoever follows the parents, no more
 * @param cascade whether an acquire also draws on the parent, unless a config says otherwise
 * @param disabled whether acquires are refused
 * @param metadata what the application wants to remember with it
 * @param children how many entities have it as their parent; kept by the store
 */
public record EntityRecord(
    RecordKey.Entity key,
    long version,
    String name,
    @Nullable String parentId,
    List<String> ancestorsHint,
    boolean cascade,
    boolean disabled,
    Map<String, String> metadata,
    long createdAtMs,
    long children)
    implements StoredRecord {
  /**
   * Most ancestors that are followed; the administration makes no tree of more than eight levels.
   */
  public static final int MAX_ANCESTORS = 8;

  /** Keeps the collections as they are now. */
  public EntityRecord {
    ancestorsHint = List.copyOf(ancestorsHint);
    metadata = Map.copyOf(metadata);
  }
}
