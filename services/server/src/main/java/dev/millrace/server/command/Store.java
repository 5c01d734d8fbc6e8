package dev.millrace.server.command;

import dev.millrace.cli.table.Clients;
import dev.millrace.dynamodb.client.DualDynamoStore;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.dynamodb.client.SafeRetries;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.ProxyConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The table of a server, for those who wait and for those who do not. */
final class Store implements AutoCloseable {
  /** Most connections to DynamoDB; further calls wait for one. */
  private static final int MAX_CONNECTIONS = 256;

  private final DynamoDbClient client;
  private final DynamoDbAsyncClient async;
  private final String table;

  private Store(DynamoDbClient client, DynamoDbAsyncClient async, String table) {
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
  static Store open(@Nullable URI endpoint, @Nullable String region, String table) {
    return new Store(Clients.of(endpoint, region), asyncClient(endpoint, region), table);
  }

  private static DynamoDbAsyncClient asyncClient(@Nullable URI endpoint, @Nullable String region) {
    NettyNioAsyncHttpClient.Builder http =
        NettyNioAsyncHttpClient.builder().maxConcurrency(MAX_CONNECTIONS);
    if (endpoint != null) {
      // As Clients does: a proxy for the network is not asked for this machine.
      http.proxyConfiguration(
          ProxyConfiguration.builder()
              .useSystemPropertyValues(false)
              .useEnvironmentVariableValues(false)
              .build());
    }
    return Clients.at(endpoint, region, DynamoDbAsyncClient.builder())
        .overrideConfiguration(SafeRetries::configure)
        .httpClientBuilder(http)
        .build();
  }

  DynamoDbClient client() {
    return client;
  }

  String table() {
    return table;
  }

  DualDynamoStore buckets() {
    return DynamoStore.of(client, async, table);
  }

  DynamoUsageStore usage() {
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
