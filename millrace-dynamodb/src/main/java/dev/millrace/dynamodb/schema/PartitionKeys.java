package dev.millrace.dynamodb.schema;

import dev.millrace.core.bucket.BucketKey;

/** Partition keys: the namespace, a slash, what kind of record, whose. */
public final class PartitionKeys {
  /** The namespace of what belongs to no namespace: the version, the namespaces themselves. */
  public static final String SYSTEM_NAMESPACE = "_";

  private static final String ENTITY = "/ENTITY#";
  private static final String RESOURCE = "/RESOURCE#";
  private static final String SYSTEM = "/SYSTEM#";
  private static final String AUDIT = "/AUDIT#";

  private PartitionKeys() {}

  /** An entity: its record, its configs and its usage. */
  public static String entity(String namespace, String entityId) {
    return namespace + ENTITY + entityId;
  }

  /** One shard of a bucket: each has a partition of its own. */
  public static String bucket(BucketKey key) {
    return BucketPartition.format(key.namespace(), key.entityId(), key.resource(), key.shard());
  }

  /** A resource: its config. */
  public static String resource(String namespace, String resource) {
    return namespace + RESOURCE + resource;
  }

  /** What holds for a whole namespace. */
  public static String system(String namespace) {
    return namespace + SYSTEM;
  }

  /** What holds for the table: its schema version and its namespaces. */
  public static String table() {
    return system(SYSTEM_NAMESPACE);
  }

  /** The audit events about a subject. */
  public static String audit(String namespace, String subject) {
    return namespace + AUDIT + subject;
  }
}
