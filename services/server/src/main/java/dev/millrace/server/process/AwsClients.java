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
 * The clients of a server: of AWS when there is no endpoint, with the credentials that the SDK
 * finds, else of the server at the endpoint. Such a server accepts any credentials, and is not
 * reached through a proxy that is meant for the network.
 */
final class AwsClients {
  /** Servers of DynamoDB's protocol accept any, as long as they are letters and digits. */
  private static final String ANY_CREDENTIALS = "millrace";

  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** Most connections to DynamoDB; further calls wait for one. */
  private static final int MAX_CONNECTIONS = 256;

  private AwsClients() {}

  static DynamoDbClient dynamo(@Nullable URI endpoint, @Nullable String region) {
    return configure(DynamoDbClient.builder(), endpoint, region)
        .overrideConfiguration(SafeRetries::configure)
        .httpClientBuilder(http(endpoint))
        .build();
  }

  static DynamoDbAsyncClient dynamoAsync(@Nullable URI endpoint, @Nullable String region) {
    NettyNioAsyncHttpClient.Builder http =
        NettyNioAsyncHttpClient.builder().maxConcurrency(MAX_CONNECTIONS);
    if (endpoint != null) {
      http.proxyConfiguration(
          software.amazon.awssdk.http.nio.netty.ProxyConfiguration.builder()
              .useSystemPropertyValues(false)
              .useEnvironmentVariableValues(false)
              .build());
    }
    return configure(DynamoDbAsyncClient.builder(), endpoint, region)
        .overrideConfiguration(SafeRetries::configure)
        .httpClientBuilder(http)
        .build();
  }

  /**
   * A client of S3. Other servers than AWS's have buckets in the path, not in the host's name, and
   * some answer before they have read what follows a body in chunks: it would be sent again.
   */
  static S3Client s3(@Nullable URI endpoint, @Nullable String region) {
    return configure(S3Client.builder(), endpoint, region)
        .httpClientBuilder(http(endpoint))
        .forcePathStyle(endpoint != null)
        .serviceConfiguration(service -> service.chunkedEncodingEnabled(endpoint == null))
        .requestChecksumCalculation(
            endpoint == null
                ? RequestChecksumCalculation.WHEN_SUPPORTED
                : RequestChecksumCalculation.WHEN_REQUIRED)
        .build();
  }

  private static <B extends AwsClientBuilder<B, ?>> B configure(
      B builder, @Nullable URI endpoint, @Nullable String region) {
    if (region != null) {
      builder.region(Region.of(region));
    }
    if (endpoint != null) {
      builder
          .endpointOverride(endpoint)
          .region(region == null ? Region.US_EAST_1 : Region.of(region))
          .credentialsProvider(
              StaticCredentialsProvider.create(
                  AwsBasicCredentials.create(ANY_CREDENTIALS, ANY_CREDENTIALS)));
    }
    return builder;
  }

  private static SdkHttpClient.Builder<?> http(@Nullable URI endpoint) {
    UrlConnectionHttpClient.Builder http =
        UrlConnectionHttpClient.builder().connectionTimeout(CONNECT);
    return endpoint == null
        ? http
        : http.proxyConfiguration(
            ProxyConfiguration.builder()
                .useSystemPropertyValues(false)
                .useEnvironmentVariablesValues(false)
                .build());
  }
}
