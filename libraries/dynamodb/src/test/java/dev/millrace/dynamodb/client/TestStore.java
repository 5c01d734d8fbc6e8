package dev.millrace.dynamodb.client;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** Stores on every HTTP client and every way to configure retries. */
enum TestStore {
  URL_CONNECTION_DEFAULT,
  URL_CONNECTION_SAFE,
  URL_CONNECTION_STANDARD_MODE,
  URL_CONNECTION_LEGACY_POLICY,
  APACHE_DEFAULT,
  APACHE_SAFE,
  NETTY_DEFAULT,
  NETTY_SAFE;

  static final String TABLE = "limits";

  /** Shared, because each of its own takes two seconds to close. */
  private static final SdkEventLoopGroup EVENT_LOOP =
      SdkEventLoopGroup.builder().numberOfThreads(2).build();

  /** A store whose client closes with it. */
  record Open(BlockingStore store, SdkAutoCloseable client) implements AutoCloseable {
    @Override
    public void close() {
      client.close();
    }
  }

  boolean isNetty() {
    return name().startsWith("NETTY");
  }

  Open open(URI endpoint) {
    if (isNetty()) {
      DynamoDbAsyncClient client = asyncClient(endpoint, netty());
      return new Open(blocking(DynamoStore.of(client, TABLE)), client);
    }
    DynamoDbClient client =
        configure(DynamoDbClient.builder(), endpoint)
            .httpClientBuilder(
                name().startsWith("APACHE")
                    ? Apache5HttpClient.builder()
                    : UrlConnectionHttpClient.builder())
            .build();
    return new Open(DynamoStore.of(client, TABLE), client);
  }

  DynamoDbAsyncClient asyncClient(URI endpoint, NettyNioAsyncHttpClient.Builder http) {
    DynamoDbAsyncClientBuilder builder = configure(DynamoDbAsyncClient.builder(), endpoint);
    return builder.httpClientBuilder(http).build();
  }

  /** Netty now and then reports a refused connection only when its wait for one ends. */
  static NettyNioAsyncHttpClient.Builder netty() {
    return NettyNioAsyncHttpClient.builder()
        .eventLoopGroup(EVENT_LOOP)
        .connectionAcquisitionTimeout(Duration.ofSeconds(2));
  }

  static BlockingStore blocking(AsyncStore store) {
    return (call, timeoutMs) ->
        store
            .executeAsync(call, timeoutMs)
            .toCompletableFuture()
            .orTimeout(30, TimeUnit.SECONDS)
            .join();
  }

  private <B extends AwsClientBuilder<B, ?>> B configure(B builder, URI endpoint) {
    ClientOverrideConfiguration.Builder override = ClientOverrideConfiguration.builder();
    switch (this) {
      case URL_CONNECTION_SAFE, APACHE_SAFE, NETTY_SAFE -> SafeRetries.configure(override);
      case URL_CONNECTION_STANDARD_MODE -> override.retryStrategy(RetryMode.STANDARD);
      case URL_CONNECTION_LEGACY_POLICY -> legacyPolicy(override);
      case URL_CONNECTION_DEFAULT, APACHE_DEFAULT, NETTY_DEFAULT -> {}
    }
    return builder
        .region(Region.EU_CENTRAL_1)
        .endpointOverride(endpoint)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
        .overrideConfiguration(override.build());
  }

  @SuppressWarnings("deprecation") // users may still have one
  private static void legacyPolicy(ClientOverrideConfiguration.Builder override) {
    override.retryPolicy(software.amazon.awssdk.core.retry.RetryPolicy.builder().build());
  }
}
