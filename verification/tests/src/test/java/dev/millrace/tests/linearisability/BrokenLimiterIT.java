package dev.millrace.tests.linearisability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.RateLimiter;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.testkit.history.BucketAnswer;
import dev.millrace.testkit.history.BucketCall;
import dev.millrace.testkit.history.BucketSpecification;
import dev.millrace.testkit.history.History;
import dev.millrace.testkit.history.HistoryRecorder;
import dev.millrace.testkit.history.Linearisability;
import dev.millrace.testkit.history.MachineTime;
import dev.millrace.testkit.history.Verdict;
import dev.millrace.testkit.history.Who;
import dev.millrace.tests.support.Caller;
import dev.millrace.tests.support.Dynamo;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Two limiters on a store with a mistake: what their callers were told gives it away. */
class BrokenLimiterIT {
  private static final MachineTime TIME = MachineTime.now();

  private static DynamoStore store;

  @BeforeAll
  static void createTable() {
    DynamoDbClient client = Dynamo.client();
    store = DynamoStore.of(client, Dynamo.newTable(client));
  }

  /** The second takes everything that the first remembers to be there; the first asks for more. */
  private static Verdict verdict(String entity, UnaryOperator<BlockingStore> broken) {
    LimiterBucket bucket = LimiterBucket.parse(entity, "rpy:1/366day:21");
    LimiterRun run = LimiterRun.begin(store, bucket, TIME, 1L);
    HistoryRecorder<BucketCall, BucketAnswer> recorder = new HistoryRecorder<>();
    BlockingStore asked = broken.apply(store);
    try (Caller one = limiter(asked);
        Caller other = limiter(asked)) {
      LimiterCaller first = new LimiterCaller(new Who("p", 0), one, bucket, recorder);
      LimiterCaller second = new LimiterCaller(new Who("q", 0), other, bucket, recorder);
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
    assertThat(verdict("sound", store -> store)).isInstanceOf(Verdict.Linearisable.class);
  }

  @Test
  void acquire_conditionsIgnored_isFoundAtTheAdmissionOfWhatWasNotThere() {
    Verdict verdict = verdict("careless", BrokenStores::withoutConditions);
    assertThat(verdict).isInstanceOf(Verdict.Broken.class);
    assertThat(((Verdict.Broken) verdict).culprit().asked())
        .isEqualTo(new BucketCall.Take(List.of(10_000L)));
  }

  @Test
  void available_fromAnOlderState_isFoundAtTheLook() {
    Verdict verdict = verdict("old-reads", BrokenStores::withOldReads);
    assertThat(verdict).isInstanceOf(Verdict.Broken.class);
    assertThat(((Verdict.Broken) verdict).culprit().asked()).isEqualTo(new BucketCall.Look());
  }
}
