package dev.millrace.dynamodb.internal.schema;

/** Partition keys: the namespace, a slash, what kind of record, whose. */
public final class PartitionKeys {
  /** The namespace of what belongs to no namespace: the version, the namespaces themselves. */
  public static final String SYSTEM_NAMESPACE = "_";

  static final String ENTITY = "/ENTITY#";
  static final String RESOURCE = "/RESOURCE#";
  static final String SYSTEM = "/SYSTEM#";
  static final String AUDIT = "/AUDIT#";

  private PartitionKeys() {}

  public static String entity(String namespace, String entityId) {
    return namespace + ENTITY + entityId;
  }

  public static String resource(String namespace, String resource) {
    return namespace + RESOURCE + resource;
  }

  public static String system(String namespace) {
    return namespace + SYSTEM;
  }

  /** What holds for the table: its schema version and its namespaces. */
  public static String table() {
    return system(SYSTEM_NAMESPACE);
  }

  /**
   * The namespace that {@code partitionKey} begins with; empty when it has none. A namespace
   * contains no slash, so the first one ends it whatever comes after.
   */
  public static String namespaceOf(String partitionKey) {
    int slash = partitionKey.indexOf('/');
    return slash < 0 ? "" : partitionKey.substring(0, slash);
  }

  public static String audit(String namespace, String subject) {
    return namespace + AUDIT + subject;
  }
}
