package dev.millrace.dynamodb.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.Buckets;
import dev.millrace.dynamodb.WireServer;
import dev.millrace.dynamodb.WireServer.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Netty's own types are not on our class path: that its reports are understood is shown here. */
@Timeout(60)
class NettyPoolTest {
  private static final long TIMEOUT_MS = 2_000;
  private static final StoreCall WRITE =
      new StoreCall.Write(Buckets.consume(new LimitChange("rpm", -1, 1, 1, 10_000)));

  @Test
  void write_noConnectionInTime_isNotApplied() throws Exception {
    assertOthersNotApplied(
        TestStore.netty().maxConcurrency(1).connectionAcquisitionTimeout(Duration.ofMillis(50)), 2);
  }

  @Test
  void write_tooManyWaitForAConnection_isNotApplied() throws Exception {
    // One is under way, one waits; further ones are turned away at once.
    assertOthersNotApplied(
        TestStore.netty()
            .maxConcurrency(1)
            .maxPendingConnectionAcquires(1)
            .connectionAcquisitionTimeout(Duration.ofMillis(50)),
        4);
  }

  /** All but the one that has the connection surely had no effect. */
  private static void assertOthersNotApplied(NettyNioAsyncHttpClient.Builder http, int writes)
      throws Exception {
    try (WireServer server = new WireServer(n -> new Answer.Silence());
        DynamoDbAsyncClient client = TestStore.NETTY_SAFE.asyncClient(server.endpoint(), http)) {
      AsyncStore store = DynamoStore.of(client, TestStore.TABLE);
      List<CompletableFuture<StoreReply>> replies = new ArrayList<>();
      for (int i = 0; i < writes; i++) {
        replies.add(store.executeAsync(WRITE, TIMEOUT_MS).toCompletableFuture());
      }
      int notApplied = 0;
      for (CompletableFuture<StoreReply> reply : replies) {
        if (reply.join() instanceof StoreReply.NotApplied refused) {
          assertThat(refused.failure().kind()).isEqualTo(StoreFailure.Kind.UNREACHABLE);
          notApplied++;
        }
      }
      assertThat(notApplied).isEqualTo(writes - 1);
      assertThat(server.requests()).isEqualTo(1);
    }
  }
}
