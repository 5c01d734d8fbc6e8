package dev.millrace.server.process;

import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The table of a server, with a blocking and an asynchronous client. */
public final class TableClients implements AutoCloseable {
  private final DynamoDbClient client;
  private final DynamoDbAsyncClient async;
  private final String table;

  private TableClients(AwsClients clients, String table) {
    this.client = clients.dynamo();
    this.async = clients.dynamoAsync();
    this.table = table;
  }

  /**
   * Opens the table {@code table}.
   *
   * @param endpoint null for AWS
   * @param region null for the one that the SDK finds
   */
  public static TableClients open(@Nullable URI endpoint, @Nullable String region, String table) {
    return new TableClients(new AwsClients(endpoint, region), table);
  }

  public DynamoDbClient client() {
    return client;
  }

  /** The store of buckets and their limits. */
  public DynamoStore buckets() {
    return DynamoStore.of(client, async, table);
  }

  DynamoUsageStore usage() {
    return DynamoUsageStore.of(client, table);
  }

  @Override
  public void close() {
    try (client;
        async) {
      // closes both, even if the first fails
    }
  }
}
