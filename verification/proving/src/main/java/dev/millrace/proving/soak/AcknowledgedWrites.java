package dev.millrace.proving.soak;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * Checks that the database keeps acknowledged writes: a few writes just before it is killed, looked
 * for once it is back. Should any be gone, it is the database that loses charges, and the ledger
 * says nothing about the limiter.
 */
final class AcknowledgedWrites {
  private static final String TABLE = "soak-probe";
  private static final String KEY = "pk";
  private static final String COUNT = "n";
  private static final Map<String, AttributeValue> ITEM =
      Map.of(KEY, AttributeValue.fromS("acknowledged"));

  /** Writes before each kill. */
  private static final int WRITES = 5;

  private final DynamoDbClient client;
  private long acknowledged;
  private long lost;

  private AcknowledgedWrites(DynamoDbClient client) {
    this.client = client;
  }

  static AcknowledgedWrites create(DynamoDbClient client) {
    client.createTable(
        table ->
            table
                .tableName(TABLE)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                    AttributeDefinition.builder()
                        .attributeName(KEY)
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(
                    KeySchemaElement.builder().attributeName(KEY).keyType(KeyType.HASH).build()));
    return new AcknowledgedWrites(client);
  }

  void write() {
    for (int i = 0; i < WRITES; i++) {
      client.updateItem(
          update ->
              update
                  .tableName(TABLE)
                  .key(ITEM)
                  .updateExpression("ADD n :one")
                  .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))));
      acknowledged++;
    }
  }

  void look() {
    Map<String, AttributeValue> found =
        client.getItem(get -> get.tableName(TABLE).key(ITEM).consistentRead(true)).item();
    AttributeValue count = found == null ? null : found.get(COUNT);
    long kept = count == null ? 0 : Long.parseLong(count.n());
    lost += Math.max(0, acknowledged - kept);
    acknowledged = kept;
  }

  /** How many acknowledged writes were gone. */
  long lost() {
    return lost;
  }
}
