package dev.millrace.cli.table;

import dev.millrace.dynamodb.client.SafeRetries;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** Clients of DynamoDB, that of AWS or any other. */
public final class Clients {
  /** Servers on this machine accept any, as long as they are letters and digits. */
  private static final String ANY_CREDENTIALS = "millrace";

  private static final Duration CONNECT = Duration.ofSeconds(5);

  private Clients() {}

  /**
   * A client.
   *
   * @param endpoint null for AWS, with the credentials that the SDK finds
   * @param region null for what the SDK finds; where there is an endpoint, any
   */
  public static DynamoDbClient of(@Nullable URI endpoint, @Nullable String region) {
    UrlConnectionHttpClient.Builder http =
        UrlConnectionHttpClient.builder().connectionTimeout(CONNECT);
    if (endpoint != null) {
      // A server of one's own is not reached through a proxy that is meant for the network.
      http.proxyConfiguration(
          ProxyConfiguration.builder()
              .useSystemPropertyValues(false)
              .useEnvironmentVariablesValues(false)
              .build());
    }
    DynamoDbClientBuilder client =
        DynamoDbClient.builder()
            .overrideConfiguration(SafeRetries::configure)
            .httpClientBuilder(http);
    if (region != null) {
      client.region(Region.of(region));
    }
    if (endpoint != null) {
      client
          .endpointOverride(endpoint)
          .region(region == null ? Region.US_EAST_1 : Region.of(region))
          .credentialsProvider(
              StaticCredentialsProvider.create(
                  AwsBasicCredentials.create(ANY_CREDENTIALS, ANY_CREDENTIALS)));
    }
    return client.build();
  }
}
