package dev.millrace.dynamodb.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The first call of a process, with a client as the SDK builds it: nothing is there yet. */
class ColdStartTest {
  private static final long TIMEOUT_MS = 2_000;

  /** Much less than the time limit, and more than a slow machine takes for three attempts. */
  private static final long AT_ONCE_MS = 1_500;

  /** A name server that is slow to say no is not what is tested. */
  private static final long SLOW_RESOLVER_MS = 60_000;

  private static final StoreCall READ =
      new StoreCall.Lookup(List.of(new RecordKey.Schema()), /* consistent= */ true);

  private static final AwsCredentialsProvider SOME =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret"));

  private static final AwsCredentialsProvider NONE =
      AwsCredentialsProviderChain.builder()
          .credentialsProviders(SystemPropertyCredentialsProvider.create())
          .build();

  private static DynamoDbClient client(URI endpoint, AwsCredentialsProvider credentials) {
    return DynamoDbClient.builder()
        .endpointOverride(endpoint)
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(credentials)
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .build();
  }

  private static DynamoDbAsyncClient asyncClient(URI endpoint, AwsCredentialsProvider credentials) {
    return DynamoDbAsyncClient.builder()
        .endpointOverride(endpoint)
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(credentials)
        .httpClientBuilder(NettyNioAsyncHttpClient.builder())
        .build();
  }

  /** What the two kinds of client answer; each within so many milliseconds. */
  private static List<StoreReply> replies(
      URI endpoint, AwsCredentialsProvider credentials, long withinMs) {
    return replies(endpoint, credentials, withinMs, TIMEOUT_MS);
  }

  private static List<StoreReply> replies(
      URI endpoint, AwsCredentialsProvider credentials, long withinMs, long timeoutMs) {
    try (DynamoDbClient client = client(endpoint, credentials);
        DynamoDbAsyncClient asyncClient = asyncClient(endpoint, credentials)) {
      DynamoStore store = DynamoStore.of(client, asyncClient, "limits");
      long startedNanos = System.nanoTime();
      StoreReply blocking = store.execute(READ, timeoutMs);
      long between = System.nanoTime();
      StoreReply async = store.executeAsync(READ, timeoutMs).toCompletableFuture().join();
      long ended = System.nanoTime();
      assertThat((between - startedNanos) / 1_000_000).isLessThan(withinMs);
      assertThat((ended - between) / 1_000_000).isLessThan(withinMs);
      return List.of(blocking, async);
    }
  }

  private static StoreFailure.Kind kind(StoreReply reply) {
    assertThat(reply).isInstanceOf(StoreReply.NotApplied.class);
    return ((StoreReply.NotApplied) reply).failure().kind();
  }

  @Test
  void execute_connectionRefused_isUnreachableAtOnce() throws Exception {
    try (Socket bound = new Socket()) { // bound, but nobody listens
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      URI endpoint = URI.create("http://127.0.0.1:" + bound.getLocalPort());
      replies(endpoint, SOME, Long.MAX_VALUE); // loads the classes

      assertThat(replies(endpoint, SOME, AT_ONCE_MS))
          .extracting(ColdStartTest::kind)
          .containsOnly(StoreFailure.Kind.UNREACHABLE);
    }
  }

  @Test
  void execute_endpointThatNobodyKnows_isUnreachable() {
    assertThat(
            replies(
                URI.create("http://no-such-host.invalid:8000"),
                SOME,
                Long.MAX_VALUE,
                SLOW_RESOLVER_MS))
        .extracting(ColdStartTest::kind)
        .containsOnly(StoreFailure.Kind.UNREACHABLE);
  }

  @Test
  void execute_noCredentials_saysSo() {
    assertThat(replies(URI.create("http://127.0.0.1:9"), NONE, Long.MAX_VALUE))
        .extracting(ColdStartTest::kind)
        .containsOnly(StoreFailure.Kind.NO_CREDENTIALS);
  }
}
