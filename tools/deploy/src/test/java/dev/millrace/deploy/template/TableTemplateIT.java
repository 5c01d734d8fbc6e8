package dev.millrace.deploy.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.deploy.LocalEngine;
import dev.millrace.dynamodb.admin.TableAdmin;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** A table that the template makes is the one that the software makes. */
class TableTemplateIT {
  @Test
  void table_ofTheTemplate_isWhatTheAdministrationMakes() {
    try (DynamoDbClient dynamo = LocalEngine.client()) {
      String stack = LocalEngine.newName();
      String own = LocalEngine.newName();
      ObjectNode properties =
          (ObjectNode) StackTemplate.load().tree().at("/Resources/Table/Properties");
      TableOfTemplate.create(dynamo, stack, properties);
      TableAdmin.of(dynamo, own).createIfMissing();

      TableAdmin.of(dynamo, stack).verify();
      TableDescription expected = dynamo.describeTable(d -> d.tableName(own)).table();
      TableDescription made = dynamo.describeTable(d -> d.tableName(stack)).table();
      assertThat(made.keySchema()).isEqualTo(expected.keySchema());
      assertThat(made.attributeDefinitions())
          .containsExactlyInAnyOrderElementsOf(expected.attributeDefinitions());
      assertThat(made.billingModeSummary().billingMode())
          .isEqualTo(expected.billingModeSummary().billingMode());
      assertThat(made.streamSpecification()).isEqualTo(expected.streamSpecification());
      assertThat(indexes(made)).isEqualTo(indexes(expected));
      assertThat(dynamo.describeTimeToLive(d -> d.tableName(stack)).timeToLiveDescription())
          .isEqualTo(dynamo.describeTimeToLive(d -> d.tableName(own)).timeToLiveDescription());
    }
  }

  private static List<String> indexes(TableDescription table) {
    return table.globalSecondaryIndexes().stream()
        .sorted(Comparator.comparing(GlobalSecondaryIndexDescription::indexName))
        .map(index -> index.indexName() + index.keySchema() + index.projection())
        .toList();
  }
}
