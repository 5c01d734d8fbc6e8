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
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;

/** The requests that create the table. */
public final class TableDefinition {
  /** What every index projects: a write that changes no key then costs the index nothing. */
  public static final ProjectionType INDEX_PROJECTION = ProjectionType.KEYS_ONLY;

  public static final String REPLICAS_TODO =
      "remove the replicas: they overwrite each other's balances. Give each region a table of its"
          + " own, and let them share limits with 'millrace regions'";

  /** The first version of global tables, of which a description lists no replicas. */
  private static final String VERSION_WITHOUT_REPLICAS = "2017.11.29";

  private TableDefinition() {}

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

  public static List<KeySchemaElement> keySchema() {
    return keySchema(Attributes.PK, Attributes.SK);
  }

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

  /**
   * The regions that DynamoDB replicates a table to; empty for a table of one region. Millrace
   * refuses a replicated ("global") table: a replica overwrites another's balance with its own, and
   * a condition sees one replica only, so every region could spend the whole of a limit.
   */
  public static List<String> replicas(TableDescription table) {
    if (table.hasReplicas() && !table.replicas().isEmpty()) {
      return table.replicas().stream().map(ReplicaDescription::regionName).sorted().toList();
    }
    return VERSION_WITHOUT_REPLICAS.equals(table.globalTableVersion())
        ? List.of("other regions, by version " + VERSION_WITHOUT_REPLICAS)
        : List.of();
  }
}
