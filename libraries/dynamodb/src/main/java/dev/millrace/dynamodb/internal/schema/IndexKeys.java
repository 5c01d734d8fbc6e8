package dev.millrace.dynamodb.internal.schema;

/** Keys of the indexes ({@link TableIndex}), each pair as its partition and its sort key. */
public final class IndexKeys {
  /** What children begin with in the partition of their parent. */
  public static final String CHILD = "CHILD#";

  /** What buckets begin with in the partitions of their resource and of their entity. */
  public static final String BUCKET = "BUCKET#";

  private IndexKeys() {}

  /** Partition of a parent's children. */
  public static String parent(String namespace, String parentId) {
    return namespace + "/PARENT#" + parentId;
  }

  /** Partition of the entities without a parent. */
  public static String roots(String namespace) {
    return namespace + "/ROOTS";
  }

  /** A child in its parent's partition, or an entity among those without a parent. */
  public static String child(String entityId) {
    return CHILD + entityId;
  }

  /** Partition of the buckets and the usage of a resource. */
  public static String resource(String namespace, String resource) {
    return PartitionKeys.resource(namespace, resource);
  }

  /** A bucket in its resource's partition. */
  public static String bucketOfResource(String entityId, int shard) {
    return BUCKET + entityId + "#" + shard;
  }

  /** Usage in its resource's partition. */
  public static String usageOfResource(String window, String start, String entityId) {
    return "USAGE#" + window + "#" + start + "#" + entityId;
  }

  /** Partition of an entity's buckets. */
  public static String entity(String namespace, String entityId) {
    return PartitionKeys.entity(namespace, entityId);
  }

  /** A bucket in its entity's partition. */
  public static String bucketOfEntity(String resource, int shard) {
    return BUCKET + resource + "#" + shard;
  }

  /**
   * Partition of the entities that have limits of their own for a resource, or for {@link
   * SortKeys#DEFAULT_RESOURCE}.
   */
  public static String configsOfResource(String namespace, String resource) {
    return namespace + "/ENTITY_CONFIG#" + resource;
  }

  /** An entity among those. */
  public static String configuredEntity(String entityId) {
    return entityId;
  }

  /** Partition of the resources that have a config. */
  public static String resources(String namespace) {
    return namespace + "/RESOURCES";
  }

  /** Partition of all audit events of a namespace; each under its id. */
  public static String audit(String namespace) {
    return namespace + "/AUDIT";
  }
}
