package dev.millrace.dynamodb.internal.schema;

import dev.millrace.MillraceException;
import dev.millrace.core.spi.directory.ItemAddress;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Attributes that every record of the table has or may have. */
public final class Attributes {
  public static final String PK = "PK";
  public static final String SK = "SK";

  /** Epoch seconds at which DynamoDB may delete the item. */
  public static final String TTL = "ttl";

  private Attributes() {}

  public static Map<String, AttributeValue> key(String partitionKey, String sortKey) {
    return Map.of(PK, AttributeValue.fromS(partitionKey), SK, AttributeValue.fromS(sortKey));
  }

  /** The primary key of {@code item}, which every item has. */
  public static ItemAddress address(Map<String, AttributeValue> item) {
    return new ItemAddress(text(item, PK), text(item, SK));
  }

  private static String text(Map<String, AttributeValue> item, String attribute) {
    AttributeValue value = item.get(attribute);
    if (value == null || value.s() == null) {
      throw new MillraceException(
          "item without a key", Map.of("attribute", attribute, "attributes", item.keySet()), null);
    }
    return value.s();
  }
}
