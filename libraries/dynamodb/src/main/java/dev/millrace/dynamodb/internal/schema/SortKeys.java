package dev.millrace.dynamodb.internal.schema;

/** Sort keys. They begin with {@code #}, which no name may contain. */
public final class SortKeys {
  /** An entity's own record. */
  public static final String META = "#META";

  /** A bucket. */
  public static final String STATE = "#STATE";

  /** The config of a resource or of the system. */
  public static final String CONFIG = "#CONFIG";

  /** The schema version. */
  public static final String VERSION = "#VERSION";

  /** What an entity's configs begin with. */
  public static final String CONFIGS = CONFIG + "#";

  /** What usage begins with. */
  public static final String USAGES = "#USAGE#";

  /** What audit events begin with. */
  public static final String AUDITS = "#AUDIT#";

  /** What namespaces by their name begin with. */
  public static final String NAMESPACES = "#NAMESPACE#";

  /** What namespaces by their id begin with. */
  public static final String NAMESPACE_IDS = "#NSID#";

  /** What pieces of long work begin with. */
  public static final String JOBS = "#JOB#";

  /** Stands for "any resource" in an entity's config. Begins as no resource may. */
  public static final String DEFAULT_RESOURCE = "_default_";

  private SortKeys() {}

  /** An entity's config for {@code resource}, or for {@link #DEFAULT_RESOURCE}. */
  public static String config(String resource) {
    return CONFIGS + resource;
  }

  /**
   * Usage of a resource in one window. The window's length is part of the key: an hour and the day
   * that begins with it start at the same instant.
   */
  public static String usage(String resource, String window, String start) {
    return USAGES + resource + "#" + window + "#" + start;
  }

  /** An audit event; ids are ordered by time. */
  public static String audit(String eventId) {
    return AUDITS + eventId;
  }

  /** A namespace by its name. */
  public static String namespaceByName(String name) {
    return NAMESPACES + name;
  }

  /** A namespace by its id. */
  public static String namespaceById(String namespace) {
    return NAMESPACE_IDS + namespace;
  }

  /** A piece of long work; ids are ordered by time. */
  public static String job(String id) {
    return JOBS + id;
  }
}
