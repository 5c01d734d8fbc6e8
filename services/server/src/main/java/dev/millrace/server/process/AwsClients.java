package dev.millrace.server.process;

import dev.millrace.dynamodb.client.SafeRetries;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.urlconnection.ProxyConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A factory of AWS clients. With an endpoint the clients reach a server of the same protocol, which
 * accepts any credentials, and never through a proxy; without one they reach AWS.
 *
 * @param endpoint null for AWS
 * @param region null for the one that the SDK finds
 */
record AwsClients(@Nullable URI endpoint, @Nullable String region) {
  /** Letters and digits: servers of DynamoDB's protocol accept no others. */
  private static final String ANY_CREDENTIALS = "millrace";

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Most connections to DynamoDB; further calls wait for one. */
  private static final int MAX_CONNECTIONS = 256;

  DynamoDbClient dynamo() {
    return configure(DynamoDbClient.builder())
        .overrideConfiguration(SafeRetries::configure)
        .httpClientBuilder(http())
        .build();
  }

  DynamoDbAsyncClient dynamoAsync() {
    NettyNioAsyncHttpClient.Builder http =
        NettyNioAsyncHttpClient.builder().maxConcurrency(MAX_CONNECTIONS);
    if (endpoint != null) {
      http.proxyConfiguration(
          software.amazon.awssdk.http.nio.netty.ProxyConfiguration.builder()
              .useSystemPropertyValues(false)
              .useEnvironmentVariableValues(false)
              .build());
    }
    return configure(DynamoDbAsyncClient.builder())
        .overrideConfiguration(SafeRetries::configure)
        .httpClientBuilder(http)
        .build();
  }

  /**
   * A client of S3. Other servers than AWS's have buckets in the path, not in the host's name, and
   * some answer before they have read a body in chunks, which would then be sent again.
   */
  S3Client s3() {
    return configure(S3Client.builder())
        .httpClientBuilder(http())
        .forcePathStyle(endpoint != null)
        .serviceConfiguration(service -> service.chunkedEncodingEnabled(endpoint == null))
        .requestChecksumCalculation(
            endpoint == null
                ? RequestChecksumCalculation.WHEN_SUPPORTED
                : RequestChecksumCalculation.WHEN_REQUIRED)
        .build();
  }

  private <B extends AwsClientBuilder<B, ?>> B configure(B builder) {
    if (region != null || endpoint != null) {
      builder.region(region == null ? Region.US_EAST_1 : Region.of(region));
    }
    if (endpoint != null) {
      builder
          .endpointOverride(endpoint)
          .credentialsProvider(
              StaticCredentialsProvider.create(
                  AwsBasicCredentials.create(ANY_CREDENTIALS, ANY_CREDENTIALS)));
    }
    return builder;
  }

  private SdkHttpClient.Builder<?> http() {
    UrlConnectionHttpClient.Builder http =
        UrlConnectionHttpClient.builder().connectionTimeout(CONNECT_TIMEOUT);
    return endpoint == null
        ? http
        : http.proxyConfiguration(
            ProxyConfiguration.builder()
                .useSystemPropertyValues(false)
                .useEnvironmentVariablesValues(false)
                .build());
  }
}
