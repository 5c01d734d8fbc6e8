package dev.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Ledger;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.tests.support.Dynamo;
import dev.millrace.tests.support.FaultProxy;
import dev.millrace.tests.support.FaultProxy.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Two processes with many callers while every sort of fault happens. */
class FaultsUnderLoadIT {
  private static final int CALLERS = 4;
  private static final int CALLS = 80;

  /** One call in eight meets a fault; which one is a function of the seed and of the order. */
  private static final Fault[] FAULTS = {
    Fault.DROP_REPLY, Fault.DROP_REQUEST, Fault.THROTTLE, Fault.INTERNAL_ERROR
  };

  @ParameterizedTest
  @CsvSource({"BLOCKING, 1", "BLOCKING, 2", "ASYNC, 1", "ASYNC, 2"})
  void acquire_randomFaults_admitsNothingThatWasNotChargedAndChargesNothingTwice(
      Style style, long seed) throws Exception {
    Limit daily = Limit.perDay("rpd", 1_000_000);
    String entity = "load-" + style + "-" + seed;
    AcquireRequest one = AcquireRequest.of(entity, "gpt-4").limits(daily);
    DynamoDbClient direct = Dynamo.client();
    String table = Dynamo.newTable(direct);
    BlockingStore directStore = DynamoStore.of(direct, table);
    AtomicLong admitted = new AtomicLong();
    AtomicLong unknown = new AtomicLong();
    AtomicLong without = new AtomicLong();
    try (FaultProxy proxy = new FaultProxy(Dynamo.endpoint());
        DynamoDbClient client = Dynamo.client(proxy.endpoint());
        DynamoDbAsyncClient asyncClient = Dynamo.asyncClient(proxy.endpoint())) {
      LimiterOptions options = LimiterOptions.builder().timeout(Duration.ofSeconds(20)).build();
      List<Caller> processes = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        processes.add(style.caller(DynamoStore.of(client, asyncClient, table), options));
      }
      processes.get(0).acquire(one.consume("rpd", 1));
      Ledger ledger = Ledger.open(directStore, BucketKey.first("default", entity, "gpt-4"));
      SplittableRandom random = new SplittableRandom(seed);
      proxy.faults(
          operation -> {
            synchronized (random) {
              return random.nextInt(8) == 0 ? FAULTS[random.nextInt(FAULTS.length)] : Fault.NONE;
            }
          });
      List<Background<Integer>> callers = new ArrayList<>();
      for (int i = 0; i < 2 * CALLERS; i++) {
        Caller process = processes.get(i % 2);
        long amount = 1L + i;
        callers.add(
            Background.begin(
                () -> {
                  for (int j = 0; j < CALLS; j++) {
                    try {
                      process.acquire(one.consume("rpd", amount));
                      admitted.addAndGet(amount);
                    } catch (LimiterUnavailableException e) {
                      boolean mayBeCharged = (boolean) e.attributes().get("mayBeCharged");
                      (mayBeCharged ? unknown : without).addAndGet(amount);
                    }
                  }
                  return 0;
                }));
      }
      callers.forEach(caller -> Await.result(caller.result()));
      proxy.heal();

      // A store that throttles often enough has the bucket divided.
      long charged = ledger.consumedMilliOfAllShards("rpd") / Limit.MILLI;
      assertThat(charged)
          .as("seed %d", seed)
          .isBetween(admitted.get(), admitted.get() + unknown.get());
      assertThat(admitted.get()).as("most calls come through").isPositive();
      assertThat(unknown.get()).as("and some do not").isPositive();
      long lost = processes.stream().mapToLong(p -> p.metrics().unknownOutcomes()).sum();
      assertThat(lost).isPositive();
      processes.forEach(Caller::close);
    } finally {
      direct.close();
    }
  }
}
