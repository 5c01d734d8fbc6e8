package dev.millrace.dynamodb.internal.schema;

/** Sort keys and their prefixes. They begin with {@code #}, which no name may contain. */
public final class SortKeys {
  public static final String META = "#META";
  public static final String STATE = "#STATE";
  public static final String CONFIG = "#CONFIG";
  public static final String VERSION = "#VERSION";

  // Prefixes; audit events and jobs have ids that are ordered by time.
  public static final String CONFIGS = CONFIG + "#";
  public static final String USAGES = "#USAGE#";
  public static final String AUDITS = "#AUDIT#";
  public static final String NAMESPACES = "#NAMESPACE#";
  public static final String NAMESPACE_IDS = "#NSID#";
  public static final String JOBS = "#JOB#";

  /** Stands for "any resource" in an entity's config. Begins as no resource may. */
  public static final String DEFAULT_RESOURCE = "_default_";

  private SortKeys() {}

  /**
   * Usage of a resource in one window. The window's length is part of the key: an hour and the day
   * that begins with it start at the same instant.
   */
  public static String usage(String resource, String window, String start) {
    return USAGES + resource + "#" + window + "#" + start;
  }
}
