package dev.millrace.core.config;

/**
 * The version of each record that limits were resolved from: when two resolutions of one (entity,
 * resource) were put together, as far as that can be told.
 *
 * <p>Each version only grows, so a resolution is as new as another one when it is so in
 * <em>every</em> part. That is a partial order: one that has seen a later system configuration and
 * an earlier entity is neither newer nor older. Whoever added the versions up instead would take it
 * for newer as soon as the system configuration had changed often enough.
 *
 * @param entity of the entity's own record
 * @param entityResource of the configuration for the entity and the resource; what regions share is
 *     kept in the same record
 * @param entityDefault of the configuration for the entity and whatever resource
 * @param resource of the resource's configuration
 * @param system of the namespace's configuration
 */
public record RecordVersions(
    long entity, long entityResource, long entityDefault, long resource, long system) {
  /** Nothing was stored that could have changed. */
  public static final RecordVersions NONE = new RecordVersions(0, 0, 0, 0, 0);

  /** Checks the ranges. */
  public RecordVersions {
    if (entity < 0 || entityResource < 0 || entityDefault < 0 || resource < 0 || system < 0) {
      throw new IllegalArgumentException(
          "versions must not be negative: "
              + text(entity, entityResource, entityDefault, resource, system));
    }
  }

  /** Those where nothing but the configuration of one level is stored; none for a call's. */
  public static RecordVersions of(ConfigLevel level, long version) {
    return switch (level) {
      case CALL -> NONE;
      case ENTITY_RESOURCE -> new RecordVersions(0, version, 0, 0, 0);
      case ENTITY -> new RecordVersions(0, 0, version, 0, 0);
      case RESOURCE -> new RecordVersions(0, 0, 0, version, 0);
      case SYSTEM -> new RecordVersions(0, 0, 0, 0, version);
    };
  }

  /** Whether no record is older than it is in {@code other}. */
  public boolean isAtLeast(RecordVersions other) {
    return entity >= other.entity
        && entityResource >= other.entityResource
        && entityDefault >= other.entityDefault
        && resource >= other.resource
        && system >= other.system;
  }

  /** The later version of each record: the earliest that is at least both. */
  public RecordVersions latest(RecordVersions other) {
    return new RecordVersions(
        Math.max(entity, other.entity),
        Math.max(entityResource, other.entityResource),
        Math.max(entityDefault, other.entityDefault),
        Math.max(resource, other.resource),
        Math.max(system, other.system));
  }

  /** For logs: the versions in the order of their declaration. */
  @Override
  public String toString() {
    return text(entity, entityResource, entityDefault, resource, system);
  }

  private static String text(
      long entity, long entityResource, long entityDefault, long resource, long system) {
    return entity + "." + entityResource + "." + entityDefault + "." + resource + "." + system;
  }
}
