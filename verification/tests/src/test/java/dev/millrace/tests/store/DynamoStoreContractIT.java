package dev.millrace.tests.store;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.testkit.StoreContract;
import dev.millrace.tests.support.Dynamo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** DynamoDB answers as the store in memory does, so tests may rely on the store in memory. */
class DynamoStoreContractIT extends StoreContract {
  private static DynamoDbClient client;
  private static DynamoDbAsyncClient asyncClient;
  private static String table;

  @BeforeAll
  static void createTable() {
    client = Dynamo.client();
    asyncClient = Dynamo.asyncClient(Dynamo.endpoint());
    table = Dynamo.newTable(client);
  }

  @AfterAll
  static void closeClients() {
    client.close();
    asyncClient.close();
  }

  @Override
  public BlockingStore blocking() {
    return DynamoStore.of(client, table);
  }

  @Override
  public AsyncStore async() {
    return DynamoStore.of(asyncClient, table);
  }

  @Override
  public int randomSequences() {
    return 30;
  }
}
