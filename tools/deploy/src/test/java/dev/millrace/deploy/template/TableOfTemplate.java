package dev.millrace.deploy.template;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;

/** Makes a table from what the template says, as CloudFormation would. */
public final class TableOfTemplate {
  private TableOfTemplate() {}

  public static void create(DynamoDbClient dynamo, String table, JsonNode properties) {
    List<AttributeDefinition> attributes = new ArrayList<>();
    for (JsonNode attribute : properties.get("AttributeDefinitions")) {
      attributes.add(
          AttributeDefinition.builder()
              .attributeName(attribute.get("AttributeName").asText())
              .attributeType(attribute.get("AttributeType").asText())
              .build());
    }
    List<GlobalSecondaryIndex> indexes = new ArrayList<>();
    for (JsonNode index : properties.get("GlobalSecondaryIndexes")) {
      indexes.add(
          GlobalSecondaryIndex.builder()
              .indexName(index.get("IndexName").asText())
              .keySchema(key(index))
              .projection(p -> p.projectionType(index.at("/Projection/ProjectionType").asText()))
              .build());
    }
    dynamo.createTable(
        c ->
            c.tableName(table)
                .billingMode(properties.get("BillingMode").asText())
                .attributeDefinitions(attributes)
                .keySchema(key(properties))
                .globalSecondaryIndexes(indexes)
                .streamSpecification(
                    s ->
                        s.streamEnabled(true)
                            .streamViewType(
                                properties.at("/StreamSpecification/StreamViewType").asText())));
    JsonNode ttl = properties.get("TimeToLiveSpecification");
    dynamo.updateTimeToLive(
        u ->
            u.tableName(table)
                .timeToLiveSpecification(
                    t ->
                        t.enabled(ttl.get("Enabled").asBoolean())
                            .attributeName(ttl.get("AttributeName").asText())));
  }

  private static List<KeySchemaElement> key(JsonNode node) {
    List<KeySchemaElement> key = new ArrayList<>();
    for (JsonNode element : node.get("KeySchema")) {
      key.add(
          KeySchemaElement.builder()
              .attributeName(element.get("AttributeName").asText())
              .keyType(element.get("KeyType").asText())
              .build());
    }
    return key;
  }
}
