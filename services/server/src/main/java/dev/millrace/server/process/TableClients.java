package dev.millrace.server.process;

import dev.millrace.dynamodb.client.DualDynamoStore;
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

  private TableClients(DynamoDbClient client, DynamoDbAsyncClient async, String table) {
    this.client = client;
    this.async = async;
    this.table = table;
  }

  /**
   * The table {@code table}.
   *
   * @param endpoint null for AWS
   * @param region null for what the SDK finds
   */
  public static TableClients open(@Nullable URI endpoint, @Nullable String region, String table) {
    return new TableClients(
        AwsClients.dynamo(endpoint, region), AwsClients.dynamoAsync(endpoint, region), table);
  }

  /** The blocking client. */
  public DynamoDbClient client() {
    return client;
  }

  /** The table's name. */
  public String table() {
    return table;
  }

  /** Its buckets and their limits. */
  public DualDynamoStore buckets() {
    return DynamoStore.of(client, async, table);
  }

  /** Its usage. */
  public DynamoUsageStore usage() {
    return DynamoUsageStore.of(client, table);
  }

  @Override
  public void close() {
    try (client;
        async) {
      // closes both, whatever the first throws
    }
  }
}
