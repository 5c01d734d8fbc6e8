package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Script.CONFLICT;
import static dev.millrace.core.testing.Script.HOT_KEY;
import static dev.millrace.core.testing.Script.LOST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.internal.protocol.SplitMergeProtocol.Kind;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Cancelled.Cause;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.Script;
import dev.millrace.core.testing.Shards;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Others are faster, in the way, or the store does not answer: the shards stay whole. */
class ReshapeTroubleTest {
  private static final StoreReply UNKNOWN = new StoreReply.Unknown(LOST, Receipt.NONE);
  private static final StoreReply IN_THE_WAY = new StoreReply.NotApplied(CONFLICT, Receipt.NONE);
  private static final StoreReply HOT = new StoreReply.NotApplied(HOT_KEY, Receipt.NONE);

  @Test
  void send_twoWhoSplit_oneDoes() {
    ReshapeCase it = ReshapeCase.of(2, Map.of(0, 1));
    Script<SplitMergeProtocol.Result> first = it.begin(1).answer(it.table, T);
    Script<SplitMergeProtocol.Result> second = it.begin(1).answer(it.table, T);

    assertThat(first.finish(it.table, T).kind()).isEqualTo(Kind.SPLIT);
    SplitMergeProtocol.Result late = second.finish(it.table, T);

    assertThat(late.kind()).isEqualTo(Kind.NONE);
    assertThat(late.holder()).isEqualTo(KEY.withShard(1));
    assertThat(it.levels()).isEqualTo(Map.of(0, 2, 1, 2));
    assertThat(it.tokensMilli()).isEqualTo(4_000);
  }

  @Test
  void send_twoWhoMerge_oneDoes() {
    ReshapeCase it = ReshapeCase.of(1, Map.of(0, 2, 1, 2));
    Script<SplitMergeProtocol.Result> first = it.begin(1).answer(it.table, T);
    Script<SplitMergeProtocol.Result> second = it.begin(1).answer(it.table, T);

    assertThat(first.finish(it.table, T).kind()).isEqualTo(Kind.MERGED);
    assertThat(second.finish(it.table, T).kind()).isEqualTo(Kind.NONE);
    assertThat(it.tokensMilli()).isEqualTo(8_000);
  }

  @Test
  void send_countChangedMeanwhile_looksAgain() {
    ReshapeCase it = ReshapeCase.of(2, Map.of(0, 1));
    Script<SplitMergeProtocol.Result> script = it.begin(1).answer(it.table, T);
    it.resize(2, 1);

    SplitMergeProtocol.Result result = script.finish(it.table, T);

    assertThat(result.kind()).isEqualTo(Kind.NONE);
    assertThat(result.count()).isEqualTo(1);
    assertThat(it.levels()).isEqualTo(Map.of(0, 1));
  }

  /** A read of several shards is no picture of one instant. */
  @Test
  void look_childThatIsNotYetInItsParentsLevel_splitsInVainAndLooksAgain() {
    ReshapeCase it = ReshapeCase.of(2, Map.of(0, 2, 1, 2));
    Script<SplitMergeProtocol.Result> script = it.begin(1);
    StoreReply.FoundAll now = (StoreReply.FoundAll) it.table.execute(script.call());
    script.answer(
        new StoreReply.FoundAll(
            Map.of(
                KEY,
                ReshapeCase.shard(0, 2, 1),
                KEY.withShard(1),
                now.states().getOrDefault(KEY.withShard(1), ReshapeCase.shard(1, 2, 2))),
            Receipt.NONE),
        T);

    assertThat(script.finish(it.table, T).kind()).isEqualTo(Kind.NONE);
    assertThat(it.tokensMilli()).isEqualTo(8_000);
  }

  @Test
  void send_refusedEveryTime_failsAfterTheLastAttempt() {
    ReshapeCase it = ReshapeCase.of(2, Map.of(0, 1));
    Script<SplitMergeProtocol.Result> script = it.begin(1);
    for (int i = 0; i < SplitMergeProtocol.MAX_ATTEMPTS; i++) {
      script.answer(it.table, T);
      assertThat(script.call()).isInstanceOf(StoreCall.Transaction.class);
      Cause cause = new Cause(true, it.table.get(KEY), null);
      script.answer(new StoreReply.Cancelled(List.of(cause, Cause.NONE), Receipt.NONE), T);
    }

    SplitMergeProtocol.Result result = script.answer(it.table, T).result();
    assertThat(result)
        .isEqualTo(new SplitMergeProtocol.Result(Kind.FAILED, 2, KEY, it.table.shards(KEY), null));
  }

  @Test
  void descend_childGoneMeanwhile_looksAgain() {
    ReshapeCase it = ReshapeCase.of(1, Map.of(0, 2, 1, 2));
    Script<SplitMergeProtocol.Result> script = it.begin(0).answer(it.table, T);
    it.reshape(1);

    assertThat(script.finish(it.table, T).kind()).isEqualTo(Kind.NONE);
    assertThat(it.tokensMilli()).isEqualTo(8_000);
  }

  /** Somebody has deleted it by hand: that is not for those who draw to put right. */
  @Test
  void descend_childGoneForGood_failsAfterTheLastAttempt() {
    ReshapeCase it = new ReshapeCase();
    it.table.put(ReshapeCase.shard(0, 1, 2));

    SplitMergeProtocol.Result result = it.begin(0).finish(it.table, T);

    assertThat(result.kind()).isEqualTo(Kind.FAILED);
    assertThat(result.failure()).isNull();
    assertThat(result.holder()).isEqualTo(KEY);
  }

  @Test
  void merge_wildTimestamp_isLeftUntilItIsHealed() {
    ReshapeCase it = ReshapeCase.of(1, Map.of(0, 2, 1, 2));
    it.table.put(Shards.shard(1, Division.of(2, 2), T + 3_600_000, holds(RPM, 4)));

    SplitMergeProtocol.Result result = it.begin(1).finish(it.table, T);

    assertThat(result.kind()).isEqualTo(Kind.FAILED);
    assertThat(result.failure()).isNull();
    assertThat(result.holder()).as("can be drawn on all the same").isEqualTo(KEY);
  }

  /** Whether it was made the next look tells; what it would have left is not relied on. */
  @Test
  void send_answerLost_isNotSentAgain() {
    ReshapeCase it = ReshapeCase.of(4, Map.of(0, 2, 1, 2));
    Script<SplitMergeProtocol.Result> script = it.begin(3).answer(it.table, T);
    it.table.execute(script.call());

    SplitMergeProtocol.Result result = script.answer(UNKNOWN, T).result();

    assertThat(result.kind()).isEqualTo(Kind.FAILED);
    assertThat(result.failure()).isEqualTo(LOST);
    assertThat(result.seen()).as("the other one").extracting(s -> s.key()).containsExactly(KEY);
    assertThat(result.count()).isEqualTo(4);
    assertThat(result.holder()).isEqualTo(KEY);
    assertThat(it.reshape(3).kind()).as("it was made").isEqualTo(Kind.NONE);
  }

  @Test
  void send_answerOfTheFirstShardLost_nothingIsKnown() {
    ReshapeCase it = ReshapeCase.of(2, Map.of(0, 1));

    assertThat(it.begin(1).answer(it.table, T).answer(UNKNOWN, T).result())
        .isEqualTo(new SplitMergeProtocol.Result(Kind.FAILED, 0, KEY, List.of(), LOST));
  }

  @Test
  void send_throttledEveryTime_failsWithWhatWasSeen() {
    ReshapeCase it = ReshapeCase.of(2, Map.of(0, 1));
    Script<SplitMergeProtocol.Result> script = it.begin(1).answer(it.table, T);
    for (int i = 0; i <= SplitMergeProtocol.MAX_RESENDS; i++) {
      script.answer(HOT, T);
    }

    assertThat(script.result())
        .isEqualTo(
            new SplitMergeProtocol.Result(Kind.FAILED, 2, KEY, it.table.shards(KEY), HOT_KEY));
  }

  @Test
  void look_fails_tellsNothing() {
    ReshapeCase it = ReshapeCase.of(2, Map.of(0, 1));

    assertThat(it.begin(1).answer(HOT, T).result())
        .isEqualTo(new SplitMergeProtocol.Result(Kind.FAILED, 0, KEY, List.of(), HOT_KEY));
    assertThat(it.begin(1).answer(UNKNOWN, T).result().failure()).isEqualTo(LOST);
  }

  @Test
  void descend_readFails_failsWithWhatWasSeen() {
    ReshapeCase it = ReshapeCase.of(1, Map.of(0, 2, 1, 2));

    SplitMergeProtocol.Result result = it.begin(0).answer(it.table, T).answer(HOT, T).result();

    assertThat(result.failure()).isEqualTo(HOT_KEY);
    assertThat(result.seen()).hasSize(1);
  }

  @Test
  void send_conflict_comesAgainWithAnotherToken() {
    ReshapeCase it = ReshapeCase.of(2, Map.of(0, 1));
    Script<SplitMergeProtocol.Result> script = it.begin(1).answer(it.table, T);
    StoreCall.Transaction first = (StoreCall.Transaction) script.call();
    StoreCall.Transaction second = (StoreCall.Transaction) script.answer(IN_THE_WAY, T).call();

    assertThat(second.plans()).isEqualTo(first.plans());
    assertThat(second.token()).isNotEqualTo(first.token());
    assertThat(script.finish(it.table, T).kind()).isEqualTo(Kind.SPLIT);
  }

  @Test
  void send_throttled_comesAgainWithoutAnotherLook() {
    ReshapeCase it = ReshapeCase.of(2, Map.of(0, 1));
    Script<SplitMergeProtocol.Result> script = it.begin(1).answer(it.table, T);
    List<WritePlan> first = script.transaction();

    assertThat(script.answer(HOT, T).transaction()).isEqualTo(first);
    assertThat(script.finish(it.table, T).kind()).isEqualTo(Kind.SPLIT);
  }

  @Test
  void send_conflictEveryTime_failsAfterTheLast() {
    ReshapeCase it = ReshapeCase.of(2, Map.of(0, 1));
    Script<SplitMergeProtocol.Result> script = it.begin(1).answer(it.table, T);
    for (int i = 0; i <= SplitMergeProtocol.MAX_RESENDS; i++) {
      script.answer(IN_THE_WAY, T);
    }

    assertThat(script.result().failure()).isEqualTo(CONFLICT);
  }
}
