package dev.millrace.dynamodb.internal.schema;

import org.jspecify.annotations.Nullable;

/**
 * The indexes and their keys. All of them hold keys only, and the keys of a bucket never change
 * after it was made, so that an acquire writes no index: readers query for keys and then read the
 * items.
 */
public enum TableIndex {
  /** The children of a parent, and the entities without one. */
  PARENT_CHILDREN("GSI1"),

  /** The buckets and the usage of a resource. */
  RESOURCE_RECORDS("GSI2"),

  /** The buckets of an entity. */
  ENTITY_BUCKETS("GSI3"),

  /** The entities with limits of their own, the resources with a config, the audit events. */
  DIRECTORY("GSI4");

  /** The prefix of children in the partition of their parent. */
  public static final String CHILD = "CHILD#";

  /** The prefix of buckets in the partitions of their resource and of their entity. */
  public static final String BUCKET = "BUCKET#";

  private final String indexName;
  private final String partitionKey;
  private final String sortKey;

  TableIndex(String indexName) {
    this.indexName = indexName;
    this.partitionKey = indexName + Attributes.PK;
    this.sortKey = indexName + Attributes.SK;
  }

  public String indexName() {
    return indexName;
  }

  public String partitionKey() {
    return partitionKey;
  }

  public String sortKey() {
    return sortKey;
  }

  /** The partition of the children of {@code parentId}; of the entities without one for null. */
  public static String childrenOf(String namespace, @Nullable String parentId) {
    return parentId == null ? namespace + "/ROOTS" : namespace + "/PARENT#" + parentId;
  }

  public static String bucketOfResource(String entityId, int shard) {
    return BUCKET + entityId + "#" + shard;
  }

  public static String usageOfResource(String window, String start, String entityId) {
    return "USAGE#" + window + "#" + start + "#" + entityId;
  }

  public static String bucketOfEntity(String resource, int shard) {
    return BUCKET + resource + "#" + shard;
  }

  /**
   * The partition of the entities that have limits of their own for a resource, or for {@link
   * SortKeys#DEFAULT_RESOURCE}; each under its id.
   */
  public static String configsOfResource(String namespace, String resource) {
    return namespace + "/ENTITY_CONFIG#" + resource;
  }

  /** The partition of the resources that have a config; each under its name. */
  public static String resources(String namespace) {
    return namespace + "/RESOURCES";
  }

  /** The partition of all audit events of a namespace; each under its id. */
  public static String audit(String namespace) {
    return namespace + "/AUDIT";
  }
}
