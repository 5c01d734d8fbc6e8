package dev.millrace.admin;

import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.directory.RecordKey;

/**
 * A place for limits: one of the four levels, with its entity and resource. Of the levels that
 * apply to an (entity, resource), the strongest that has any limits gives all of them.
 *
 * @param level the level
 * @param entityId the entity, empty for the levels that have none
 * @param resource the resource, empty for the levels that have none
 */
public record LimitTarget(ConfigLevel level, String entityId, String resource) {
  private static final String ANY_NAMESPACE = "any";

  public LimitTarget {
    // The key does the checks; every namespace has the same ones.
    RecordKey.Config unused = new RecordKey.Config(ANY_NAMESPACE, level, entityId, resource);
  }

  /** One entity and one resource: the strongest. */
  public static LimitTarget entityResource(String entityId, String resource) {
    return new LimitTarget(ConfigLevel.ENTITY_RESOURCE, entityId, resource);
  }

  /** One entity, any resource. */
  public static LimitTarget entity(String entityId) {
    return new LimitTarget(ConfigLevel.ENTITY, entityId, "");
  }

  /** One resource, any entity. */
  public static LimitTarget resource(String resource) {
    return new LimitTarget(ConfigLevel.RESOURCE, "", resource);
  }

  /** The whole namespace: the weakest. */
  public static LimitTarget system() {
    return new LimitTarget(ConfigLevel.SYSTEM, "", "");
  }

  public RecordKey.Config in(String namespace) {
    return new RecordKey.Config(namespace, level, entityId, resource);
  }
}
