package dev.millrace.core.config;

/**
 * By what right a bucket has its limits, and whether it is switched on.
 *
 * <p>The version is the sum of the versions of everything that was looked at to resolve them: the
 * entity and its four levels. Each of those only grows, so of two resolutions of one (entity,
 * resource) the one with the greater version is the later one, whatever level has changed. That is
 * how a process with an old copy of the configuration notices: the bucket is ahead of it.
 *
 * @param level where the limits come from
 * @param version the version of the resolution, {@link #UNVERSIONED} when nothing was stored
 * @param disabled whether acquires are refused
 */
public record Standing(ConfigLevel level, long version, boolean disabled) {
  /** Nothing was stored that could have changed. */
  public static final long UNVERSIONED = 0;

  /** Limits that came with a call, about which nothing is stored. */
  public static final Standing CALL = new Standing(ConfigLevel.CALL, UNVERSIONED, false);

  /** Checks the range. */
  public Standing {
    if (version < 0) {
      throw new IllegalArgumentException("version " + version + " must not be negative");
    }
  }

  /**
   * What a bucket that stands at {@code stored} stands at once this holds for it. A later one is
   * not taken back. Of the same version only the level can differ, because limits may come with a
   * call; should the switch differ all the same, the bucket's word counts: it is what others see.
   */
  public Standing over(Standing stored) {
    if (stored.version > version || stored.equals(this)) {
      return stored;
    }
    return stored.version == version && stored.disabled != disabled
        ? new Standing(level, version, stored.disabled)
        : this;
  }

  /** Whether a bucket of this standing may be forgotten when it is idle. */
  public boolean expires() {
    return level != ConfigLevel.ENTITY_RESOURCE;
  }
}
