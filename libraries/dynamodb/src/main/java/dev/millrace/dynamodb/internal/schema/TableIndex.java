package dev.millrace.dynamodb.internal.schema;

/**
 * The indexes. All of them hold keys only, and the keys of a bucket never change after it was made,
 * so that an acquire writes no index: readers query for keys and then read the items.
 */
public enum TableIndex {
  /** The children of a parent, and those without one; entities only. */
  PARENT_CHILDREN("GSI1"),
  /** The buckets and the usage of a resource. */
  RESOURCE_RECORDS("GSI2"),
  /** The buckets of an entity. */
  ENTITY_BUCKETS("GSI3"),
  /** The entities with limits of their own, the resources with a config, the audit events. */
  DIRECTORY("GSI4");

  private final String indexName;
  private final String partitionKey;
  private final String sortKey;

  TableIndex(String indexName) {
    this.indexName = indexName;
    this.partitionKey = indexName + Attributes.PK;
    this.sortKey = indexName + Attributes.SK;
  }

  /** The name of the index in DynamoDB. */
  public String indexName() {
    return indexName;
  }

  /** The attribute that is its partition key. */
  public String partitionKey() {
    return partitionKey;
  }

  /** The attribute that is its sort key. */
  public String sortKey() {
    return sortKey;
  }
}
