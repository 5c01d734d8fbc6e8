package dev.millrace.tests.linearisability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.testkit.internal.history.CallerId;
import dev.millrace.testkit.internal.history.History;
import dev.millrace.testkit.internal.history.HistoryRecorder;
import dev.millrace.testkit.internal.history.Linearisability;
import dev.millrace.testkit.internal.history.Operation;
import dev.millrace.testkit.internal.history.StoreSpecification;
import dev.millrace.testkit.internal.history.StoreSpecification.Stored;
import dev.millrace.tests.support.Dynamo;
import dev.millrace.tests.support.FaultProxy;
import dev.millrace.tests.support.FaultProxy.Fault;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Threads straight on the store: every reply, with the whole bucket in it, has its place. */
class StoreHistoryIT {
  private static final int CALLERS = 12;
  private static final int CALLS = 30;

  private static DynamoDbClient client;
  private static DynamoDbAsyncClient asyncClient;
  private static String table;

  @BeforeAll
  static void createTable() {
    client = Dynamo.client();
    asyncClient = Dynamo.asyncClient(Dynamo.endpoint());
    table = Dynamo.newTable(client);
  }

  /** Half of the callers wait in the store, half for its future. */
  private static History<StoreCall, StoreReply> record(
      BucketKey key, DynamoStore store, long seed) {
    HistoryRecorder<StoreCall, StoreReply> recorder = new HistoryRecorder<>();
    Together.run(
        CALLERS,
        number -> {
          BlockingStore port = number % 2 == 0 ? store : StoreCaller.waiting(store);
          CallerId who = new CallerId("test", number);
          new StoreCaller(who, key, port, recorder)
              .run(new SplittableRandom(seed * CALLERS + number), CALLS);
        });
    return recorder.history();
  }

  private static long count(
      History<StoreCall, StoreReply> history, Class<? extends StoreReply> sort) {
    return history.operations().stream().filter(op -> sort.isInstance(op.answered())).count();
  }

  @ParameterizedTest
  @ValueSource(longs = {1})
  void execute_randomPlansOfManyThreads_isLinearisable(long seed) {
    BucketKey key = BucketKey.first("default", "store-" + seed, "gpt-4");
    History<StoreCall, StoreReply> history =
        record(key, DynamoStore.of(client, asyncClient, table), seed);

    Linearisability.require(history, new StoreSpecification(key, Stored.NOTHING));

    assertThat(count(history, StoreReply.Applied.class)).isGreaterThan(CALLS / 2);
    assertThat(count(history, StoreReply.Refused.class)).isGreaterThan(CALLS / 2);
    assertThat(history.operations()).noneMatch(Operation::isUnknown);
  }

  @Test
  void execute_answersLost_isLinearisableWhateverBecameOfThose() throws Exception {
    BucketKey key = BucketKey.first("default", "store-lossy", "gpt-4");
    try (FaultProxy proxy = new FaultProxy(Dynamo.endpoint());
        DynamoDbClient lossy = Dynamo.client(proxy.endpoint());
        DynamoDbAsyncClient lossyAsync = Dynamo.asyncClient(proxy.endpoint())) {
      proxy.faults(oneInTen(new SplittableRandom(7)));
      History<StoreCall, StoreReply> history =
          record(key, DynamoStore.of(lossy, lossyAsync, table), 7);
      proxy.heal();
      HistoryRecorder<StoreCall, StoreReply> last = new HistoryRecorder<>();
      new StoreCaller(new CallerId("test", CALLERS), key, DynamoStore.of(client, table), last)
          .ask(new StoreCall.Read(key));

      Linearisability.require(
          history.and(last.history()), new StoreSpecification(key, Stored.NOTHING));

      assertThat(history.operations().stream().filter(Operation::isUnknown).count())
          .isGreaterThan(CALLS / 8);
      assertThat(count(history, StoreReply.Applied.class)).isGreaterThan(CALLS / 2);
    }
  }

  /** One write in ten is lost on its way there or back. */
  private static Function<String, Fault> oneInTen(SplittableRandom random) {
    Fault[] faults = {Fault.DROP_REPLY, Fault.DROP_REQUEST, Fault.INTERNAL_ERROR};
    return operation -> {
      synchronized (random) {
        return FaultProxy.isWrite(operation) && random.nextInt(10) == 0
            ? faults[random.nextInt(faults.length)]
            : Fault.NONE;
      }
    };
  }
}
