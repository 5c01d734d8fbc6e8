package dev.millrace.dynamodb.schema;

/**
 * The indexes. All of them hold keys only, and keys never change after an item was made, so that an
 * acquire writes no index: readers query for keys and then read the items.
 */
public enum TableIndex {
  /** The children of a parent; entities only. */
  PARENT_CHILDREN("GSI1"),
  /** The buckets and the usage of a resource. */
  RESOURCE_RECORDS("GSI2"),
  /** The buckets of an entity. */
  ENTITY_BUCKETS("GSI3"),
  /** The entities with limits of their own for a resource; entity configs only. */
  RESOURCE_CONFIGS("GSI4");

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
