package dev.millrace.tests.store;

import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.testkit.UsageStoreContract;
import dev.millrace.tests.support.Dynamo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** DynamoDB keeps usage as the store in memory does, so tests may rely on the store in memory. */
class DynamoUsageStoreContractIT extends UsageStoreContract {
  private static DynamoDbClient client;
  private static String table;

  @BeforeAll
  static void createTable() {
    client = Dynamo.client();
    table = Dynamo.newTable(client);
  }

  @AfterAll
  static void closeClient() {
    client.close();
  }

  @Override
  public UsageStore store() {
    return DynamoUsageStore.of(client, table);
  }

  @Override
  public int randomSequences() {
    return 10;
  }
}
