package dev.millrace.deploy;

import dev.millrace.dynamodb.client.SafeRetries;
import dev.millrace.embedded.SharedEngine;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Clients of the one engine of a test run, and names of tables on it. */
public final class LocalEngine {
  private static final AtomicInteger TABLES = new AtomicInteger();

  private LocalEngine() {}

  public static URI endpoint() {
    return SharedEngine.endpoint();
  }

  public static DynamoDbClient client() {
    return DynamoDbClient.builder()
        .endpointOverride(endpoint())
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("millrace", "millrace")))
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .overrideConfiguration(SafeRetries::configure)
        .build();
  }

  /** A name that no other table has. */
  public static String newName() {
    return "deploy" + ProcessHandle.current().pid() + "x" + TABLES.incrementAndGet();
  }
}
