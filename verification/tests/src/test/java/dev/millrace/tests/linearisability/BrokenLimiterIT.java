package dev.millrace.tests.linearisability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.RateLimiter;
import dev.millrace.client.support.Caller;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.testkit.internal.history.BucketAnswer;
import dev.millrace.testkit.internal.history.BucketCall;
import dev.millrace.testkit.internal.history.BucketSpecification;
import dev.millrace.testkit.internal.history.CallerId;
import dev.millrace.testkit.internal.history.History;
import dev.millrace.testkit.internal.history.HistoryRecorder;
import dev.millrace.testkit.internal.history.Linearisability;
import dev.millrace.testkit.internal.history.LinearisabilityVerdict;
import dev.millrace.testkit.internal.history.MachineTime;
import dev.millrace.tests.support.Dynamo;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Two limiters on a store with a mistake: what their callers were told gives it away. */
class BrokenLimiterIT {
  private static final MachineTime TIME = MachineTime.now();

  private static BlockingStore store;

  @BeforeAll
  static void createTable() {
    DynamoDbClient client = Dynamo.client();
    store = DynamoStore.of(client, Dynamo.newTable(client));
  }

  /** The second takes everything that the first remembers to be there; the first asks for more. */
  private static LinearisabilityVerdict verdict(
      String entity, UnaryOperator<BlockingStore> broken) {
    LimiterBucket bucket = LimiterBucket.parse(entity, "rpy:1/366day:21");
    LimiterRun run = LimiterRun.begin(store, bucket, TIME, 1L);
    HistoryRecorder<BucketCall, BucketAnswer> recorder = new HistoryRecorder<>();
    BlockingStore asked = broken.apply(store);
    try (Caller one = limiter(asked);
        Caller other = limiter(asked)) {
      LimiterCaller first = new LimiterCaller(new CallerId("p", 0), one, bucket, recorder);
      LimiterCaller second = new LimiterCaller(new CallerId("q", 0), other, bucket, recorder);
      first.look();
      first.take(List.of(1L));
      second.take(List.of(19L));
      first.take(List.of(10L));
      second.look();
    }
    History<BucketCall, BucketAnswer> history = recorder.history();
    return Linearisability.check(
        history, BucketSpecification.ofManyProcesses(run.model(history), TIME, history));
  }

  private static Caller limiter(BlockingStore store) {
    return Caller.of(RateLimiter.create(store, LimiterRun.options(TIME).build()));
  }

  @Test
  void acquire_asItIs_isLinearisable() {
    assertThat(verdict("sound", store -> store))
        .isInstanceOf(LinearisabilityVerdict.Linearisable.class);
  }

  @Test
  void acquire_conditionsIgnored_isFoundAtTheAdmissionOfWhatWasNotThere() {
    LinearisabilityVerdict verdict = verdict("careless", BrokenStores::withoutConditions);
    assertThat(verdict).isInstanceOf(LinearisabilityVerdict.Broken.class);
    assertThat(((LinearisabilityVerdict.Broken) verdict).culprit().asked())
        .isEqualTo(new BucketCall.Take(List.of(10_000L)));
  }

  @Test
  void available_fromAnOlderState_isFoundAtTheLook() {
    LinearisabilityVerdict verdict = verdict("old-reads", BrokenStores::withOldReads);
    assertThat(verdict).isInstanceOf(LinearisabilityVerdict.Broken.class);
    assertThat(((LinearisabilityVerdict.Broken) verdict).culprit().asked())
        .isEqualTo(new BucketCall.Look());
  }
}
