package dev.millrace.cli.table;

import dev.millrace.dynamodb.client.SafeRetries;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.client.builder.SdkSyncClientBuilder;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The address and region of an AWS service, or of another server of its protocol: the base of every
 * client that a command makes. Another server is given any credentials, and is not reached through
 * a proxy that is meant for the network.
 *
 * @param address null for AWS, with the credentials that the SDK finds
 * @param region null for the one that the SDK finds; where there is an address, any
 */
public record ServiceEndpoint(@Nullable URI address, @Nullable String region) {
  /** Servers of these protocols accept any, as long as they are letters and digits. */
  private static final String ANY_CREDENTIALS = "millrace";

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** A client of DynamoDB whose retries cannot charge twice. */
  public DynamoDbClient dynamo() {
    return blocking(DynamoDbClient.builder()).overrideConfiguration(SafeRetries::configure).build();
  }

  /** Sets address, region and credentials of a client. */
  public <B extends AwsClientBuilder<B, ?>> B configure(B builder) {
    if (address != null) {
      builder
          .endpointOverride(address)
          .region(Region.US_EAST_1)
          .credentialsProvider(
              StaticCredentialsProvider.create(
                  AwsBasicCredentials.create(ANY_CREDENTIALS, ANY_CREDENTIALS)));
    }
    return region == null ? builder : builder.region(Region.of(region));
  }

  /** Sets the HTTP client of a blocking client too. */
  public <B extends AwsClientBuilder<B, ?> & SdkSyncClientBuilder<B, ?>> B blocking(B builder) {
    UrlConnectionHttpClient.Builder http =
        UrlConnectionHttpClient.builder().connectionTimeout(CONNECT_TIMEOUT);
    if (address != null) {
      http.proxyConfiguration(
          ProxyConfiguration.builder()
              .useSystemPropertyValues(false)
              .useEnvironmentVariablesValues(false)
              .build());
    }
    return configure(builder).httpClientBuilder(http);
  }
}
