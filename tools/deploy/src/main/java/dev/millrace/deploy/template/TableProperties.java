package dev.millrace.deploy.template;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.dynamodb.internal.schema.TableDefinition;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveSpecification;

/** {@link TableDefinition} in CloudFormation's words. */
final class TableProperties {
  private static final String ANY_NAME = "any";

  private TableProperties() {}

  static ObjectNode of(ObjectMapper json) {
    CreateTableRequest table = TableDefinition.create(ANY_NAME);
    TimeToLiveSpecification ttl = TableDefinition.timeToLive(ANY_NAME).timeToLiveSpecification();
    ObjectNode properties = json.createObjectNode();
    properties.put("BillingMode", table.billingModeAsString());
    ArrayNode attributes = properties.putArray("AttributeDefinitions");
    for (AttributeDefinition attribute : table.attributeDefinitions()) {
      attributes
          .addObject()
          .put("AttributeName", attribute.attributeName())
          .put("AttributeType", attribute.attributeTypeAsString());
    }
    putKey(properties, table.keySchema());
    ArrayNode indexes = properties.putArray("GlobalSecondaryIndexes");
    for (GlobalSecondaryIndex index : table.globalSecondaryIndexes()) {
      ObjectNode made = indexes.addObject();
      made.put("IndexName", index.indexName());
      putKey(made, index.keySchema());
      made.putObject("Projection")
          .put("ProjectionType", index.projection().projectionTypeAsString());
    }
    properties
        .putObject("StreamSpecification")
        .put("StreamViewType", table.streamSpecification().streamViewTypeAsString());
    properties
        .putObject("TimeToLiveSpecification")
        .put("AttributeName", ttl.attributeName())
        .put("Enabled", ttl.enabled());
    return properties;
  }

  private static void putKey(ObjectNode node, List<KeySchemaElement> key) {
    ArrayNode schema = node.putArray("KeySchema");
    for (KeySchemaElement element : key) {
      schema
          .addObject()
          .put("AttributeName", element.attributeName())
          .put("KeyType", element.keyTypeAsString());
    }
  }
}
