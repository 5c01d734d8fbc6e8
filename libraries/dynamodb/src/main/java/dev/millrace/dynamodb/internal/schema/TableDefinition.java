package dev.millrace.dynamodb.internal.schema;

import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;

/** The table as DynamoDB is asked to make it. */
public final class TableDefinition {
  /** What every index projects: a write that changes no key then costs the index nothing. */
  public static final ProjectionType INDEX_PROJECTION = ProjectionType.KEYS_ONLY;

  private TableDefinition() {}

  /** The request that creates {@code table}. */
  public static CreateTableRequest create(String table) {
    List<AttributeDefinition> attributes = new ArrayList<>();
    attributes.add(string(Attributes.PK));
    attributes.add(string(Attributes.SK));
    List<GlobalSecondaryIndex> indexes = new ArrayList<>();
    for (TableIndex index : TableIndex.values()) {
      attributes.add(string(index.partitionKey()));
      attributes.add(string(index.sortKey()));
      indexes.add(
          GlobalSecondaryIndex.builder()
              .indexName(index.indexName())
              .keySchema(indexKeySchema(index))
              .projection(p -> p.projectionType(INDEX_PROJECTION))
              .build());
    }
    return CreateTableRequest.builder()
        .tableName(table)
        .billingMode(BillingMode.PAY_PER_REQUEST)
        .attributeDefinitions(attributes)
        .keySchema(keySchema())
        .globalSecondaryIndexes(indexes)
        .streamSpecification(
            s -> s.streamEnabled(true).streamViewType(StreamViewType.NEW_AND_OLD_IMAGES))
        .build();
  }

  /** The request that lets DynamoDB delete expired items of {@code table}. */
  public static UpdateTimeToLiveRequest timeToLive(String table) {
    return UpdateTimeToLiveRequest.builder()
        .tableName(table)
        .timeToLiveSpecification(t -> t.enabled(true).attributeName(Attributes.TTL))
        .build();
  }

  /** The primary key. */
  public static List<KeySchemaElement> keySchema() {
    return keySchema(Attributes.PK, Attributes.SK);
  }

  /** The key of {@code index}. */
  public static List<KeySchemaElement> indexKeySchema(TableIndex index) {
    return keySchema(index.partitionKey(), index.sortKey());
  }

  private static List<KeySchemaElement> keySchema(String partitionKey, String sortKey) {
    return List.of(element(partitionKey, KeyType.HASH), element(sortKey, KeyType.RANGE));
  }

  private static KeySchemaElement element(String attribute, KeyType type) {
    return KeySchemaElement.builder().attributeName(attribute).keyType(type).build();
  }

  private static AttributeDefinition string(String attribute) {
    return AttributeDefinition.builder()
        .attributeName(attribute)
        .attributeType(ScalarAttributeType.S)
        .build();
  }
}
