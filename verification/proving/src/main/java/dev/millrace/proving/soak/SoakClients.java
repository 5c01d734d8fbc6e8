package dev.millrace.proving.soak;

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
public final class SoakClients {
  /** The engine accepts any, as long as they are letters and digits. */
  private static final String ANY_CREDENTIALS = "millrace";

  private static final int MAX_CONNECTIONS = 64;

  private SoakClients() {}

  /** One that waits for answers. */
  public static DynamoDbClient blocking(URI endpoint) {
    // The engine is on this machine: a proxy meant for the network must not get in between.
    ProxyConfiguration noProxy =
        ProxyConfiguration.builder()
            .useSystemPropertyValues(false)
            .useEnvironmentVariablesValues(false)
            .build();
    return configure(DynamoDbClient.builder(), endpoint)
        .httpClientBuilder(UrlConnectionHttpClient.builder().proxyConfiguration(noProxy))
        .build();
  }

  /** One that does not. */
  public static DynamoDbAsyncClient async(URI endpoint) {
    return configure(DynamoDbAsyncClient.builder(), endpoint)
        .httpClientBuilder(
            NettyNioAsyncHttpClient.builder()
                .maxConcurrency(MAX_CONNECTIONS)
                .proxyConfiguration(
                    software.amazon.awssdk.http.nio.netty.ProxyConfiguration.builder()
                        .useSystemPropertyValues(false)
                        .useEnvironmentVariableValues(false)
                        .build()))
        .build();
  }

  private static <B extends AwsClientBuilder<B, ?>> B configure(B builder, URI endpoint) {
    return builder
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(ANY_CREDENTIALS, ANY_CREDENTIALS)))
        .overrideConfiguration(SafeRetries::configure);
  }
}
