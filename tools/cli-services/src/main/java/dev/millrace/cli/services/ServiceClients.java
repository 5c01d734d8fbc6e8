package dev.millrace.cli.services;

import dev.millrace.cli.table.ServiceEndpoint;
import dev.millrace.worker.kcl.StreamClients;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** Clients of the services around a table, made when they are needed and closed together. */
public record ServiceClients(
    ServiceEndpoint dynamo, ServiceEndpoint s3, ServiceEndpoint sqs, Deque<SdkAutoCloseable> opened)
    implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 32;

  /** Clients of the services at these addresses, null for AWS. */
  public static ServiceClients of(
      @Nullable URI dynamo, @Nullable URI s3, @Nullable URI sqs, @Nullable String region) {
    return new ServiceClients(
        new ServiceEndpoint(dynamo, region),
        new ServiceEndpoint(s3, region),
        new ServiceEndpoint(sqs, region),
        new ArrayDeque<>());
  }

  /** A client of the table. */
  public DynamoDbClient dynamoClient() {
    return keep(dynamo.dynamo());
  }

  /** The clients that read the stream of {@code table}. */
  public StreamClients streamClients(String table) {
    return new StreamClients(
        table,
        dynamoClient(),
        keep(
            dynamo
                .configure(DynamoDbAsyncClient.builder())
                .httpClientBuilder(
                    NettyNioAsyncHttpClient.builder().maxConcurrency(MAX_CONNECTIONS))
                .build()),
        dynamo.blocking(DynamoDbStreamsClient.builder()));
  }

  /**
   * A client of S3. Other servers than AWS's have buckets in the path, not in the host's name, and
   * some answer before they have read what follows a body in chunks: it would be sent again.
   */
  public S3Client s3Client() {
    boolean aws = s3.address() == null;
    return keep(
        s3.blocking(S3Client.builder())
            .forcePathStyle(!aws)
            .serviceConfiguration(service -> service.chunkedEncodingEnabled(aws))
            .requestChecksumCalculation(
                aws
                    ? RequestChecksumCalculation.WHEN_SUPPORTED
                    : RequestChecksumCalculation.WHEN_REQUIRED)
            .build());
  }

  /** A client of SQS. */
  public SqsClient sqsClient() {
    return keep(sqs.blocking(SqsClient.builder()).build());
  }

  private <C extends SdkAutoCloseable> C keep(C client) {
    opened.push(client);
    return client;
  }

  @Override
  public void close() {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }
}
