package dev.millrace.core.config;

/**
 * What a bucket says about the configuration that it follows: from which level its limits come, the
 * version of every record that was looked at to find that out, and whether it is switched off.
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
}
