package dev.millrace.spring.internal;

import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.SafeRetries;
import dev.millrace.spring.MillraceProperties;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * The clients of the table: those of the application where it has them, else own ones, which are
 * closed with it. Own ones are no beans, so that no other part of an application uses them.
 */
final class DynamoClients implements AutoCloseable {
  private static final String NETTY =
      "software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient";

  private final List<SdkAutoCloseable> owned = new ArrayList<>();
  private final BlockingStore store;

  DynamoClients(
      MillraceProperties.Dynamodb where,
      String table,
      @Nullable DynamoDbClient ofApplication,
      @Nullable DynamoDbAsyncClient asyncOfApplication) {
    DynamoDbClient blocking = ofApplication;
    if (blocking == null) {
      blocking =
          at(where, DynamoDbClient.builder())
              .httpClientBuilder(UrlConnectionHttpClient.builder())
              .build();
      owned.add(blocking);
    }
    DynamoDbAsyncClient async = asyncOfApplication;
    // A client of the application alone determines the region and the endpoint.
    if (async == null && ofApplication == null && ClassUtils.isPresent(NETTY, null)) {
      async = Netty.client(where);
      owned.add(async);
    }
    this.store =
        async == null ? DynamoStore.of(blocking, table) : DynamoStore.of(blocking, async, table);
  }

  private static <B extends AwsClientBuilder<B, C>, C> B at(
      MillraceProperties.Dynamodb where, B builder) {
    builder.overrideConfiguration(SafeRetries::configure);
    if (where.region() != null) {
      builder.region(Region.of(where.region()));
    }
    if (where.endpoint() != null) {
      builder.endpointOverride(where.endpoint());
    }
    return builder;
  }

  BlockingStore store() {
    return store;
  }

  @Override
  public void close() {
    for (SdkAutoCloseable client : owned) {
      client.close();
    }
  }

  /** Only loaded where there is Netty. */
  private static final class Netty {
    static DynamoDbAsyncClient client(MillraceProperties.Dynamodb where) {
      return at(where, DynamoDbAsyncClient.builder())
          .httpClientBuilder(NettyNioAsyncHttpClient.builder())
          .build();
    }
  }
}
