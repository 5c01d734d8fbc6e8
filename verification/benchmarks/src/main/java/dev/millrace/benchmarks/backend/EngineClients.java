package dev.millrace.benchmarks.backend;

import dev.millrace.dynamodb.client.SafeRetries;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Clients of an engine on this machine. */
final class EngineClients {
  /** The engine accepts any, as long as they are letters and digits. */
  private static final String ANY_CREDENTIALS = "millrace";

  private static final String MAX_CONNECTIONS = "http.maxConnections";

  /** The JDK keeps five idle connections; without grouping each thread needs one. */
  private static final String CONNECTIONS = "512";

  private final URI endpoint;

  EngineClients(URI endpoint) {
    this.endpoint = endpoint;
    if (System.getProperty(MAX_CONNECTIONS) == null) {
      System.setProperty(MAX_CONNECTIONS, CONNECTIONS);
    }
  }

  DynamoDbClient blocking() {
    // The engine is on this machine: a proxy meant for the network must not get in between.
    ProxyConfiguration noProxy =
        ProxyConfiguration.builder()
            .useSystemPropertyValues(false)
            .useEnvironmentVariablesValues(false)
            .build();
    return configure(DynamoDbClient.builder())
        .httpClientBuilder(UrlConnectionHttpClient.builder().proxyConfiguration(noProxy))
        .build();
  }

  DynamoDbAsyncClient async() {
    return configure(DynamoDbAsyncClient.builder())
        .httpClientBuilder(
            NettyNioAsyncHttpClient.builder()
                .maxConcurrency(Integer.parseInt(CONNECTIONS))
                .proxyConfiguration(
                    software.amazon.awssdk.http.nio.netty.ProxyConfiguration.builder()
                        .useSystemPropertyValues(false)
                        .useEnvironmentVariableValues(false)
                        .build()))
        .build();
  }

  private <B extends AwsClientBuilder<B, ?>> B configure(B builder) {
    return builder
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(ANY_CREDENTIALS, ANY_CREDENTIALS)))
        .overrideConfiguration(SafeRetries::configure);
  }
}
