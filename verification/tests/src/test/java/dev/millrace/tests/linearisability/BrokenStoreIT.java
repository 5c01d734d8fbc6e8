package dev.millrace.tests.linearisability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.testkit.internal.history.CallerId;
import dev.millrace.testkit.internal.history.HistoryRecorder;
import dev.millrace.testkit.internal.history.Linearisability;
import dev.millrace.testkit.internal.history.LinearisabilityVerdict;
import dev.millrace.testkit.internal.history.StoreSpecification;
import dev.millrace.testkit.internal.history.StoreSpecification.Stored;
import dev.millrace.tests.support.Dynamo;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** DynamoDB behind a store with a mistake: the check of its history finds it. */
class BrokenStoreIT {
  private static final int CALLERS = 4;

  /**
   * Each caller takes a token and reads, so often. All of them together want more than there is.
   */
  private static final int ROUNDS = 8;

  private static final Limit RPD = Limit.perDay("rpd", 10);

  private static BlockingStore store;

  @BeforeAll
  static void createTable() {
    var client = Dynamo.client();
    store = DynamoStore.of(client, Dynamo.newTable(client));
  }

  private static LinearisabilityVerdict verdict(
      String entity, UnaryOperator<BlockingStore> broken) {
    BucketKey key = BucketKey.first("default", entity, "gpt-4");
    BucketState full = BucketState.full(key, LimitSet.of(RPD), System.currentTimeMillis());
    HistoryRecorder<StoreCall, StoreReply> recorder = new HistoryRecorder<>();
    BlockingStore asked = broken.apply(store);
    new StoreCaller(new CallerId("test", CALLERS), key, asked, recorder)
        .ask(new StoreCall.Write(new WritePlan.Create(full)));
    Together.run(
        CALLERS,
        number -> {
          StoreCaller caller = new StoreCaller(new CallerId("test", number), key, asked, recorder);
          for (int i = 0; i < ROUNDS; i++) {
            caller.ask(new StoreCall.Write(takeOne(key, number + "-" + i)));
            caller.ask(new StoreCall.Read(key));
          }
        });
    return Linearisability.check(recorder.history(), new StoreSpecification(key, Stored.NOTHING));
  }

  private static WritePlan takeOne(BucketKey key, String op) {
    LimitChange one =
        new LimitChange("rpd", -Limit.MILLI, Limit.MILLI, Limit.MILLI, LimitChange.NO_CEILING);
    return new WritePlan.Consume(key, 0, List.of(one), BucketState.NEVER, op);
  }

  @Test
  void execute_asItIs_isLinearisable() {
    assertThat(verdict("sound", store -> store))
        .isInstanceOf(LinearisabilityVerdict.Linearisable.class);
  }

  @Test
  void execute_floorIgnored_isFound() {
    LinearisabilityVerdict verdict = verdict("floorless", BrokenStores::withoutConditions);
    assertThat(verdict).isInstanceOf(LinearisabilityVerdict.Broken.class);
    assertThat(((LinearisabilityVerdict.Broken) verdict).explanation())
        .as("an answer that shows a balance below zero, to whom it was given first")
        .containsPattern("^no order explains the answer to\n.*tokensMilli=-");
  }

  @Test
  void execute_readsFromAnOlderState_isFound() {
    assertThat(verdict("old-reads", BrokenStores::withOldReads))
        .isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void execute_writesResent_isFound() {
    assertThat(verdict("resent", BrokenStores::withResentWrites))
        .isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void execute_repliesFromBeforeTheWrite_isFound() {
    assertThat(verdict("before", BrokenStores::withRepliesFromBefore))
        .isInstanceOf(LinearisabilityVerdict.Broken.class);
  }
}
