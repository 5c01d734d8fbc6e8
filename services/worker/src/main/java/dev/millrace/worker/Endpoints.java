package dev.millrace.worker;

import dev.millrace.dynamodb.client.SafeRetries;
import dev.millrace.worker.kcl.StreamClients;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
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
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Where the services are, and clients of them. A service that was given no address is that of AWS,
 * with the credentials and region that the SDK finds.
 *
 * @param dynamo DynamoDB's address and that of its streams, null for AWS
 * @param s3 S3's address, null for AWS
 * @param sqs SQS's address, null for AWS
 * @param region null for what the SDK finds
 * @param opened what there is to close
 */
public record Endpoints(
    @Nullable URI dynamo,
    @Nullable URI s3,
    @Nullable URI sqs,
    @Nullable String region,
    Deque<AutoCloseable> opened)
    implements AutoCloseable {
  /** Servers on this machine accept any, as long as they are letters and digits. */
  private static final String ANY_CREDENTIALS = "millrace";

  private static final int MAX_CONNECTIONS = 32;

  /** With nothing opened yet. */
  public static Endpoints of(
      @Nullable URI dynamo, @Nullable URI s3, @Nullable URI sqs, @Nullable String region) {
    return new Endpoints(dynamo, s3, sqs, region, new ArrayDeque<>());
  }

  /** DynamoDB at {@code dynamo}, nothing else. */
  public static Endpoints local(URI dynamo) {
    return of(dynamo, null, null, null);
  }

  /** What the stream of {@code table} is read with. */
  public StreamClients streamClients(String table) {
    return new StreamClients(
        table,
        dynamoClient(),
        keep(
            configure(DynamoDbAsyncClient.builder(), dynamo)
                .httpClientBuilder(
                    NettyNioAsyncHttpClient.builder().maxConcurrency(MAX_CONNECTIONS))
                .build()),
        configure(DynamoDbStreamsClient.builder(), dynamo).httpClientBuilder(http(dynamo)));
  }

  /** A client of the table. */
  public DynamoDbClient dynamoClient() {
    return keep(
        configure(DynamoDbClient.builder(), dynamo)
            .httpClientBuilder(http(dynamo))
            .overrideConfiguration(SafeRetries::configure)
            .build());
  }

  /**
   * A client of S3. Other servers than AWS's have buckets in the path, not in the host's name, and
   * some answer before they have read what follows a body in chunks: it would be sent again.
   */
  public S3Client s3Client() {
    return keep(
        configure(S3Client.builder(), s3)
            .httpClientBuilder(http(s3))
            .forcePathStyle(s3 != null)
            .serviceConfiguration(service -> service.chunkedEncodingEnabled(s3 == null))
            .requestChecksumCalculation(
                s3 == null
                    ? RequestChecksumCalculation.WHEN_SUPPORTED
                    : RequestChecksumCalculation.WHEN_REQUIRED)
            .build());
  }

  /** A client of SQS. */
  public SqsClient sqsClient() {
    return keep(configure(SqsClient.builder(), sqs).httpClientBuilder(http(sqs)).build());
  }

  private <B extends AwsClientBuilder<B, ?>> B configure(B builder, @Nullable URI endpoint) {
    if (region != null) {
      builder.region(Region.of(region));
    }
    if (endpoint != null) {
      builder
          .endpointOverride(endpoint)
          .credentialsProvider(
              StaticCredentialsProvider.create(
                  AwsBasicCredentials.create(ANY_CREDENTIALS, ANY_CREDENTIALS)));
      if (region == null) {
        builder.region(Region.US_EAST_1);
      }
    }
    return builder;
  }

  /** A server of one's own is not reached through a proxy that is meant for the network. */
  private static SdkHttpClient.Builder<?> http(@Nullable URI endpoint) {
    UrlConnectionHttpClient.Builder builder = UrlConnectionHttpClient.builder();
    return endpoint == null
        ? builder
        : builder.proxyConfiguration(
            ProxyConfiguration.builder()
                .useSystemPropertyValues(false)
                .useEnvironmentVariablesValues(false)
                .build());
  }

  private <C extends AutoCloseable> C keep(C client) {
    opened.push(client);
    return client;
  }

  @Override
  public void close() {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) { // clients of the SDK throw nothing that is checked
        throw new IllegalStateException("A client could not be closed", e);
      }
    }
  }
}
