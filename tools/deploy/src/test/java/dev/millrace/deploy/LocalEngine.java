package dev.millrace.deploy;

import dev.millrace.dynamodb.client.SafeRetries;
import dev.millrace.embedded.SharedEngine;
import dev.millrace.worker.kcl.StreamClients;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
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

/** Clients of the one engine of a test run, and names of tables on it. */
public final class LocalEngine {
  private static final AtomicInteger TABLES = new AtomicInteger();

  private LocalEngine() {}

  public static URI endpoint() {
    return SharedEngine.endpoint();
  }

  public static DynamoDbClient client() {
    return configure(DynamoDbClient.builder())
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .overrideConfiguration(SafeRetries::configure)
        .build();
  }

  public static StreamClients streamClients(String table, DynamoDbAsyncClient leases) {
    return new StreamClients(
        table,
        client(),
        leases,
        configure(DynamoDbStreamsClient.builder())
            .httpClientBuilder(UrlConnectionHttpClient.builder()));
  }

  public static S3Client s3(URI server) {
    return configure(S3Client.builder())
        .endpointOverride(server)
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .forcePathStyle(true)
        .serviceConfiguration(service -> service.chunkedEncodingEnabled(false))
        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
        .build();
  }

  public static <B extends AwsClientBuilder<B, ?>> B configure(B builder) {
    return builder
        .endpointOverride(endpoint())
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("millrace", "millrace")));
  }

  /** A name that no other table has. */
  public static String newName() {
    return "deploy" + ProcessHandle.current().pid() + "x" + TABLES.incrementAndGet();
  }
}
