package dev.millrace.dynamodb.schema;

/** Keys of the indexes ({@link TableIndex}), each pair as its partition and its sort key. */
public final class IndexKeys {
  private IndexKeys() {}

  /** Partition of a parent's children. */
  public static String parent(String namespace, String parentId) {
    return namespace + "/PARENT#" + parentId;
  }

  /** A child in its parent's partition. */
  public static String child(String entityId) {
    return "CHILD#" + entityId;
  }

  /** Partition of the buckets and the usage of a resource. */
  public static String resource(String namespace, String resource) {
    return PartitionKeys.resource(namespace, resource);
  }

  /** A bucket in its resource's partition. */
  public static String bucketOfResource(String entityId, int shard) {
    return "BUCKET#" + entityId + "#" + shard;
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
    return "BUCKET#" + resource + "#" + shard;
  }

  /** Partition of the entities that have limits of their own for a resource. */
  public static String configsOfResource(String namespace, String resource) {
    return namespace + "/ENTITY_CONFIG#" + resource;
  }

  /** An entity among those. */
  public static String configuredEntity(String entityId) {
    return entityId;
  }
}
