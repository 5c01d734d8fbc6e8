package dev.millrace.dynamodb.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.vectors.RecordedVectors;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;

class TableDefinitionTest {
  private final CreateTableRequest request = TableDefinition.create("limits");

  @Test
  void create_table_isBilledByRequestAndStreamed() {
    assertThat(request.tableName()).isEqualTo("limits");
    assertThat(request.billingMode()).isEqualTo(BillingMode.PAY_PER_REQUEST);
    assertThat(request.streamSpecification().streamEnabled()).isTrue();
    assertThat(request.streamSpecification().streamViewType())
        .isEqualTo(StreamViewType.NEW_AND_OLD_IMAGES);
  }

  /** Any other projection would make every acquire write the index too. */
  @Test
  void create_indexes_holdKeysOnly() {
    assertThat(request.globalSecondaryIndexes())
        .extracting(GlobalSecondaryIndex::indexName)
        .containsExactly("GSI1", "GSI2", "GSI3", "GSI4");
    assertThat(request.globalSecondaryIndexes())
        .allMatch(i -> i.projection().projectionType() == ProjectionType.KEYS_ONLY);
    assertThat(request.localSecondaryIndexes()).isEmpty();
  }

  @Test
  void create_keysOfTableAndIndexes_areThoseOfTheVectors() {
    JsonNode expected = RecordedVectors.read("schema_keys").get("table_definition");
    List<String> keys = new ArrayList<>();
    request.keySchema().forEach(k -> keys.add(k.attributeName() + k.keyTypeAsString()));
    for (GlobalSecondaryIndex index : request.globalSecondaryIndexes()) {
      index.keySchema().forEach(k -> keys.add(k.attributeName() + k.keyTypeAsString()));
    }

    List<String> expectedKeys = new ArrayList<>();
    addKeys(expectedKeys, expected);
    expected.get("GlobalSecondaryIndexes").forEach(index -> addKeys(expectedKeys, index));
    assertThat(keys).isEqualTo(expectedKeys);
  }

  @Test
  void timeToLive_attribute_isTtl() {
    assertThat(TableDefinition.timeToLive("limits").timeToLiveSpecification())
        .satisfies(t -> assertThat(t.attributeName()).isEqualTo("ttl"))
        .satisfies(t -> assertThat(t.enabled()).isTrue());
  }

  private static void addKeys(List<String> keys, JsonNode described) {
    described
        .get("KeySchema")
        .forEach(k -> keys.add(k.get("AttributeName").asText() + k.get("KeyType").asText()));
  }
}
