package dev.millrace.core.spi.config;

/**
 * The configuration that a bucket was last written with: the level of its limits, the version of
 * every record that was looked at to find that out, and whether the bucket is switched off.
 *
 * <p>The stamps of two resolutions are compared by {@link RecordVersions}, never by level or
 * switch. One that is not at least as new as that of a bucket must not be written into the bucket.
 *
 * @param level where the limits come from
 * @param versions of the records, {@link RecordVersions#NONE} when nothing was stored
 * @param disabled whether acquires are refused
 */
public record ConfigStamp(ConfigLevel level, RecordVersions versions, boolean disabled) {
  /** Limits that came with a call, about which nothing is stored. */
  public static final ConfigStamp CALL =
      new ConfigStamp(ConfigLevel.CALL, RecordVersions.NONE, false);

  /** Whether this knows every record as it was for {@code other}, or later. */
  public boolean isAtLeast(ConfigStamp other) {
    return versions.isAtLeast(other.versions);
  }

  /**
   * The stamp of a bucket with the stamp {@code stored} once this holds for it. One that is not at
   * least as new changes nothing. Of the same versions only the level can differ, because limits
   * may come with a call; should the switch differ all the same, the bucket is switched off.
   */
  public ConfigStamp over(ConfigStamp stored) {
    if (!isAtLeast(stored) || stored.equals(this)) {
      return stored;
    }
    if (versions.equals(stored.versions)) {
      return new ConfigStamp(level, versions, disabled || stored.disabled);
    }
    return this;
  }

  /**
   * The same of no records: for a bucket that is made from what was looked up long ago. It cannot
   * tell any process that it is behind, see {@link #isSilentTo}.
   */
  public ConfigStamp ofNoRecords() {
    return new ConfigStamp(level, RecordVersions.NONE, disabled);
  }

  /**
   * Whether a bucket with this stamp cannot tell a process that knows {@code known} that it is
   * behind: the stamp names no record, and there are some.
   */
  public boolean isSilentTo(ConfigStamp known) {
    return versions.equals(RecordVersions.NONE) && !known.versions.equals(RecordVersions.NONE);
  }

  /** The same for limits that came with a call: they are stronger than all that is stored. */
  public ConfigStamp ofCall() {
    return new ConfigStamp(ConfigLevel.CALL, versions, disabled);
  }

  /** What two shards of one bucket follow: nothing less may be written into both of them. */
  public ConfigStamp with(ConfigStamp other) {
    return new ConfigStamp(level, versions.latest(other.versions), disabled || other.disabled);
  }

  /** Whether a bucket with this stamp may be forgotten when it is idle. */
  public boolean expires() {
    return level != ConfigLevel.ENTITY_RESOURCE;
  }

  /**
   * The version of each record that limits were resolved from: when two resolutions of one (entity,
   * resource) were put together, as far as that can be told.
   *
   * <p>Each version only grows, so a resolution is as new as another one when it is so in
   * <em>every</em> part. That is a partial order: one that has seen a later system configuration
   * and an earlier entity is neither newer nor older. Whoever added the versions up instead would
   * take it for newer as soon as the system configuration had changed often enough.
   *
   * @param entity of the entity's own record
   * @param entityResource of the configuration for the entity and the resource; what regions share
   *     is kept in the same record
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
}
