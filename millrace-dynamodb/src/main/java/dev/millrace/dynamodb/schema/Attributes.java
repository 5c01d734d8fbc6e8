package dev.millrace.dynamodb.schema;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Attributes that every record of the table has or may have. */
public final class Attributes {
  /** Partition key. */
  public static final String PK = "PK";

  /** Sort key. */
  public static final String SK = "SK";

  /** Epoch seconds at which DynamoDB may delete the item. */
  public static final String TTL = "ttl";

  private Attributes() {}

  /** A primary key. */
  public static Map<String, AttributeValue> key(String partitionKey, String sortKey) {
    return Map.of(PK, AttributeValue.fromS(partitionKey), SK, AttributeValue.fromS(sortKey));
  }
}
