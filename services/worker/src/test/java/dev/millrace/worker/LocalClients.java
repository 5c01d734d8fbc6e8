package dev.millrace.worker;

import dev.millrace.worker.kcl.StreamClients;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** Clients of a server on this machine, which takes any credentials, closed together. */
public record LocalClients(URI address, Deque<SdkAutoCloseable> opened) implements AutoCloseable {
  public static LocalClients of(URI address) {
    return new LocalClients(address, new ArrayDeque<>());
  }

  public DynamoDbClient dynamoClient() {
    return keep(
        configure(DynamoDbClient.builder())
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .build());
  }

  public StreamClients streamClients(String table) {
    return new StreamClients(
        table,
        dynamoClient(),
        keep(configure(DynamoDbAsyncClient.builder()).build()),
        configure(DynamoDbStreamsClient.builder())
            .httpClientBuilder(UrlConnectionHttpClient.builder()));
  }

  public S3Client s3Client() {
    return keep(
        configure(S3Client.builder())
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .forcePathStyle(true)
            .serviceConfiguration(service -> service.chunkedEncodingEnabled(false))
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .build());
  }

  public SqsClient sqsClient() {
    return keep(
        configure(SqsClient.builder())
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .build());
  }

  private <B extends AwsClientBuilder<B, ?>> B configure(B builder) {
    return builder
        .endpointOverride(address)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("millrace", "millrace")));
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
