package dev.millrace.tests.linearisability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.LimiterOptions;
import dev.millrace.OnUnavailable;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.testkit.internal.history.BucketAnswer;
import dev.millrace.testkit.internal.history.BucketCall;
import dev.millrace.testkit.internal.history.BucketSpecification;
import dev.millrace.testkit.internal.history.History;
import dev.millrace.testkit.internal.history.Linearisability;
import dev.millrace.testkit.internal.history.MachineTime;
import dev.millrace.tests.support.Dynamo;
import dev.millrace.tests.support.FaultProxy;
import dev.millrace.tests.support.FaultProxy.Fault;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Limiters behind a network that loses answers. What callers were told has its place all the same;
 * what they were told nothing about is there once or not at all, a charge at settle at most twice.
 */
class LostAnswersIT {
  private static final int CALLERS = 2;
  private static final int TIMES = 35;

  /** Large enough that looks, not refusals, say what was charged. */
  private static final String LIMITS = "rpy:1/366day:400,tpy:1/366day:4000";

  /**
   * Only refunds: a batch that holds both sends its charges again, and says to both that they are
   * settled; so a refund that was settled is known to be there only where nobody charges.
   */
  @Test
  void cancel_answersLost_isLinearisableWhateverBecameOfThose() throws Exception {
    check("refunds", Habits.ALL.withoutCharges(), OnUnavailable.BLOCK);
  }

  @Test
  void close_answersLost_isLinearisableWhateverBecameOfThose() throws Exception {
    check("charges", Habits.ALL.withoutRefunds(), OnUnavailable.BLOCK);
  }

  /** Who lets pass does not say whether a lease was settled: nobody settles. */
  @Test
  void acquire_answersLostAndDegraded_isLinearisableWhateverBecameOfThose() throws Exception {
    check("neither", Habits.ALL.withoutCharges().withoutRefunds(), OnUnavailable.ALLOW);
  }

  private static void check(String entity, Habits habits, OnUnavailable policy) throws Exception {
    MachineTime time = MachineTime.now();
    LimiterOptions options = LimiterRun.options(time).onUnavailable(policy).build();
    try (FaultProxy proxy = new FaultProxy(Dynamo.endpoint());
        DynamoDbClient direct = Dynamo.client();
        DynamoDbClient lossy = Dynamo.client(proxy.endpoint());
        DynamoDbAsyncClient lossyAsync = Dynamo.asyncClient(proxy.endpoint())) {
      String table = Dynamo.newTable(direct);
      BlockingStore store = DynamoStore.of(direct, table);
      DynamoStore lossyStore = DynamoStore.of(lossy, lossyAsync, table);
      LimiterRun run = LimiterRun.begin(store, LimiterBucket.parse(entity, LIMITS), time, 1L, 1L);
      List<Caller> limiters =
          List.of(
              Style.BLOCKING.caller(lossyStore, options), Style.ASYNC.caller(lossyStore, options));
      Caller watch = Caller.of(RateLimiter.create(store, options));
      proxy.faults(everyThirtieth());

      History<BucketCall, BucketAnswer> history =
          run.record(limiters, CALLERS, habits, TIMES, watch);

      Linearisability.require(
          history, BucketSpecification.ofManyProcesses(run.model(history), time, history));
      assertThat(history.operations())
          .filteredOn(op -> op.asked() instanceof BucketCall.Take)
          .anyMatch(op -> op.answered() instanceof BucketAnswer.Done);
      assertThat(limiters.stream().mapToLong(one -> one.metrics().unknownOutcomes()).sum())
          .as("answers that were lost")
          .isPositive();
      limiters.forEach(Caller::close);
      watch.close();
    }
  }

  /** A write in thirty is lost, on its way there or back. */
  private static Function<String, Fault> everyThirtieth() {
    List<Fault> faults = List.of(Fault.DROP_REPLY, Fault.DROP_REQUEST, Fault.INTERNAL_ERROR);
    AtomicInteger writes = new AtomicInteger();
    return operation -> {
      int number = FaultProxy.isWrite(operation) ? writes.incrementAndGet() : 1;
      return number % 30 == 0 ? faults.get(number / 30 % faults.size()) : Fault.NONE;
    };
  }
}
