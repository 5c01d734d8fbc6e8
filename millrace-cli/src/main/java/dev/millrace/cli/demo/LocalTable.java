package dev.millrace.cli.demo;

import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.SafeRetries;
import dev.millrace.embedded.EmbeddedDynamo;
import java.net.URI;
import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A table on an engine that ends with this. */
final class LocalTable implements AutoCloseable {
  static final String NAME = "limits";

  /** The engine accepts any, as long as they are letters and digits. */
  private static final String ANY_CREDENTIALS = "millrace";

  private final EmbeddedDynamo engine;
  private final DynamoDbClient client;

  private LocalTable(EmbeddedDynamo engine, DynamoDbClient client) {
    this.engine = engine;
    this.client = client;
  }

  static LocalTable create(Consumer<String> progress) {
    EmbeddedDynamo engine = EmbeddedDynamo.inMemory().onProgress(progress).start();
    LocalTable table = new LocalTable(engine, client(engine.endpoint()));
    try {
      TableAdmin.of(table.client, NAME).createIfMissing();
      return table;
    } catch (RuntimeException e) {
      table.close();
      throw e;
    }
  }

  DynamoStore store() {
    return DynamoStore.of(client, NAME);
  }

  @Override
  public void close() {
    try (engine;
        client) {
      // closes the client, then the engine, whatever the first throws
    }
  }

  private static DynamoDbClient client(URI endpoint) {
    // The engine is on this machine: a proxy meant for the network must not get in between.
    ProxyConfiguration noProxy =
        ProxyConfiguration.builder()
            .useSystemPropertyValues(false)
            .useEnvironmentVariablesValues(false)
            .build();
    return DynamoDbClient.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(ANY_CREDENTIALS, ANY_CREDENTIALS)))
        .httpClientBuilder(UrlConnectionHttpClient.builder().proxyConfiguration(noProxy))
        .overrideConfiguration(SafeRetries::configure)
        .build();
  }
}
