package dev.millrace.dynamodb.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.Buckets;
import dev.millrace.dynamodb.WireServer;
import dev.millrace.dynamodb.WireServer.Answer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class InterruptionTest {
  private static final long TIMEOUT_MS = 20_000;

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "APACHE_DEFAULT"})
  void execute_interrupted_answersAndStaysInterrupted(TestStore kind) throws Exception {
    StoreCall write =
        new StoreCall.Write(Buckets.consume(new LimitChange("rpm", -1, 1, 1, 10_000)));
    Thread caller = Thread.currentThread();
    // Interrupted while the request is with the server.
    try (WireServer server =
            new WireServer(
                n -> {
                  caller.interrupt();
                  return Answer.ok(SampleJson.updated());
                });
        TestStore.Open open = kind.open(server.endpoint())) {
      StoreReply reply = open.store().execute(write, TIMEOUT_MS);
      assertThat(Thread.interrupted()).isTrue(); // and cleared, for the next test
      if (reply instanceof StoreReply.Unknown unknown) {
        assertThat(unknown.failure().kind()).isEqualTo(StoreFailure.Kind.INTERRUPTED);
      } else {
        // The answer was in before the client looked.
        assertThat(reply).isInstanceOf(StoreReply.Applied.class);
      }
    }
  }
}
