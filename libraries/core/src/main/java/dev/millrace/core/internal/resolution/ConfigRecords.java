package dev.millrace.core.internal.resolution;

import dev.millrace.LimitSet;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All records that are stored about one (entity, resource): the entity, and the configuration of
 * each level, null where there is none.
 *
 * <p>A configuration of the entity and the resource that was there when the entity was removed
 * counts as nothing: a copy of it may be older than the copy of the entity's own configuration,
 * which tells of the removal (see {@link ConfigRecord#versionFloor}).
 */
public record ConfigRecords(
    @Nullable EntityRecord entity,
    @Nullable ConfigRecord entityResource,
    @Nullable ConfigRecord entityDefault,
    @Nullable ConfigRecord resource,
    @Nullable ConfigRecord system) {
  /** Drops what belonged to a removed entity. */
  public ConfigRecords {
    if (entityResource != null
        && entityDefault != null
        && entityResource.version() <= entityDefault.versionFloor()) {
      entityResource = null;
    }
  }

  /** The records to look up, the levels in the order of their strength. */
  public static List<RecordKey> keys(String namespace, String entityId, String resource) {
    return List.of(
        new RecordKey.Entity(namespace, entityId),
        RecordKey.Config.ofEntityResource(namespace, entityId, resource),
        RecordKey.Config.ofEntity(namespace, entityId),
        RecordKey.Config.ofResource(namespace, resource),
        RecordKey.Config.ofSystem(namespace));
  }

  /** What was found under {@link #keys}. */
  public static ConfigRecords of(
      String namespace,
      String entityId,
      String resource,
      Function<RecordKey, @Nullable StoredRecord> found) {
    List<RecordKey> keys = keys(namespace, entityId, resource);
    return new ConfigRecords(
        (EntityRecord) found.apply(keys.get(0)),
        (ConfigRecord) found.apply(keys.get(1)),
        (ConfigRecord) found.apply(keys.get(2)),
        (ConfigRecord) found.apply(keys.get(3)),
        (ConfigRecord) found.apply(keys.get(4)));
  }

  /** The strongest level that has limits, or null when none has. */
  public @Nullable ConfigLevel winner() {
    for (ConfigLevel level : ConfigLevel.values()) {
      ConfigRecord config = at(level);
      if (config != null && config.limits() != null) {
        return level;
      }
    }
    return null;
  }

  /** What a level says, null when it says nothing. */
  public @Nullable ConfigRecord at(ConfigLevel level) {
    return switch (level) {
      case CALL -> null;
      case ENTITY_RESOURCE -> entityResource;
      case ENTITY -> entityDefault;
      case RESOURCE -> resource;
      case SYSTEM -> system;
    };
  }

  /** What holds, as far as it is stored. */
  public ResolvedConfig resolve() {
    ConfigLevel winner = winner();
    ConfigRecord config = winner == null ? null : at(winner);
    LimitSet limits = config == null ? null : config.limits();
    return new ResolvedConfig(
        limits,
        new ConfigStamp(winner == null ? ConfigLevel.CALL : winner, versions(), isDisabled()),
        cascades() && entity != null ? entity.parentId() : null,
        whole(),
        entity == null ? List.of() : entity.ancestorsHint());
  }

  /** What regions share, unless an operator has set limits of the pair by hand. */
  private @Nullable LimitSet whole() {
    if (entityResource != null && entityResource.isOperators()) {
      return null;
    }
    LimitSet own = wholeOf(entityResource);
    return own == null ? wholeOf(resource) : own;
  }

  private static @Nullable LimitSet wholeOf(@Nullable ConfigRecord config) {
    return config == null || config.regions() == null ? null : config.regions().whole();
  }

  /** What is not there counts as removed by the last removal of the entity. */
  private RecordVersions versions() {
    long floor = versionFloor();
    return new RecordVersions(
        versionOf(entity, floor),
        versionOf(entityResource, floor),
        versionOf(entityDefault, 0),
        versionOf(resource, 0),
        versionOf(system, 0));
  }

  private long versionFloor() {
    return entityDefault == null ? 0 : entityDefault.versionFloor();
  }

  private static long versionOf(@Nullable StoredRecord record, long ifAbsent) {
    return record == null ? ifAbsent : record.version();
  }

  private boolean isDisabled() {
    return (entity != null && entity.disabled()) || (resource != null && resource.disabled());
  }

  /** Whether an acquire also draws on the parent: the most specific answer counts. */
  private boolean cascades() {
    if (entityResource != null && entityResource.cascade() != null) {
      return entityResource.cascade();
    }
    if (resource != null && resource.cascade() != null) {
      return resource.cascade();
    }
    return entity != null && entity.cascade();
  }
}
