package dev.millrace.tests.support;

import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.SafeRetries;
import dev.millrace.embedded.SharedEngine;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Clients of the one engine of a test run, and tables on it. */
public final class Dynamo {
  private static final AtomicInteger TABLES = new AtomicInteger();

  static {
    // The JDK keeps five idle connections a host; tests have up to 200 callers.
    System.setProperty("http.maxConnections", "256");
  }

  private Dynamo() {}

  public static URI endpoint() {
    return SharedEngine.endpoint();
  }

  public static DynamoDbClient client() {
    return client(endpoint());
  }

  public static DynamoDbClient client(URI endpoint) {
    return DynamoDbClient.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(credentials())
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .overrideConfiguration(SafeRetries::configure)
        .build();
  }

  public static DynamoDbAsyncClient asyncClient(URI endpoint) {
    return DynamoDbAsyncClient.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(credentials())
        .httpClientBuilder(NettyNioAsyncHttpClient.builder().maxConcurrency(128))
        .overrideConfiguration(SafeRetries::configure)
        .build();
  }

  public static StaticCredentialsProvider credentials() {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create("millrace", "millrace"));
  }

  /** A new table with all indexes, for one test class. */
  public static String newTable(DynamoDbClient client) {
    String table = "limits" + ProcessHandle.current().pid() + "x" + TABLES.incrementAndGet();
    TableAdmin.of(client, table).createIfMissing();
    return table;
  }
}
