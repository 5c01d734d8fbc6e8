package dev.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.tests.support.Dynamo;
import dev.millrace.tests.support.FaultProxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Nobody at home: callers are told soon, not when their patience ends. */
class UnreachableIT {
  private static final AcquireRequest REQUEST =
      AcquireRequest.of("unreachable", "gpt-4")
          .limits(Limit.perDay("rpd", 1_000))
          .consume("rpd", 1);

  private static final Duration SOON = Duration.ofSeconds(8);

  @ParameterizedTest
  @EnumSource
  void acquire_connectionRefused_isUnavailableSoon(Style style) throws Exception {
    try (Socket bound = new Socket()) { // bound, but nobody listens
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      URI endpoint = URI.create("http://127.0.0.1:" + bound.getLocalPort());
      try (DynamoDbClient client = Dynamo.client(endpoint);
          DynamoDbAsyncClient asyncClient = Dynamo.asyncClient(endpoint);
          Caller caller =
              style.caller(
                  DynamoStore.of(client, asyncClient, "limits"),
                  LimiterOptions.builder().timeout(Duration.ofSeconds(30)).build())) {
        long startedAt = System.nanoTime();

        LimiterUnavailableException thrown =
            catchThrowableOfType(LimiterUnavailableException.class, () -> caller.acquire(REQUEST));

        assertThat(System.nanoTime() - startedAt).isLessThan(SOON.toNanos());
        assertThat(thrown.attributes())
            .containsEntry("failure", StoreFailure.Kind.UNREACHABLE)
            .containsEntry("mayBeCharged", false);
        assertThat(caller.acquire(REQUEST.onUnavailable(OnUnavailable.ALLOW)).isDegraded())
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_connectionsLostAndServerGone_isDegradedWithinTheTimeLimit(Style style)
      throws Exception {
    FaultProxy proxy = new FaultProxy(Dynamo.endpoint());
    try (DynamoDbClient client = Dynamo.client(proxy.endpoint());
        DynamoDbAsyncClient asyncClient = Dynamo.asyncClient(proxy.endpoint());
        Caller caller =
            style.caller(
                DynamoStore.of(client, asyncClient, Dynamo.newTable(client)),
                LimiterOptions.builder()
                    .timeout(Duration.ofSeconds(3))
                    .onUnavailable(OnUnavailable.ALLOW)
                    .build())) {
      caller.acquire(REQUEST);
      proxy.close();
      long startedAt = System.nanoTime();

      Lease lease = caller.acquire(REQUEST);

      assertThat(lease.isDegraded()).isTrue();
      assertThat(System.nanoTime() - startedAt).isLessThan(SOON.toNanos());
    }
  }
}
