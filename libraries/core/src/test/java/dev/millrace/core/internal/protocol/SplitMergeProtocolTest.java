package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.ReshapeCase.readAll;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.holds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.internal.protocol.SplitMergeProtocol.Kind;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.testing.Laws;
import dev.millrace.core.testing.Script;
import dev.millrace.core.testing.Shards;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The shard that holds what another would hold is found, and brought one step closer. */
class SplitMergeProtocolTest {
  @Test
  void start_asItShouldBe_doesNothing() {
    ReshapeCase it = ReshapeCase.of(2, Map.of(0, 2, 1, 2));
    Script<SplitMergeProtocol.Result> script = it.begin(1);

    assertThat(script.call()).isEqualTo(readAll(0, 1));
    assertThat(script.answer(it.table, T).result())
        .isEqualTo(
            new SplitMergeProtocol.Result(
                Kind.NONE, 2, KEY.withShard(1), it.table.shards(KEY), null));
  }

  @Test
  void start_behind_splits() {
    ReshapeCase it = ReshapeCase.of(2, Map.of(0, 1));
    Script<SplitMergeProtocol.Result> script = it.begin(1).answer(it.table, T);

    assertThat(script.transaction())
        .hasExactlyElementsOfTypes(WritePlan.Locked.class, WritePlan.Create.class);
    SplitMergeProtocol.Result result = script.answer(it.table, T).result();

    assertThat(result.kind()).isEqualTo(Kind.SPLIT);
    assertThat(result.holder()).isEqualTo(KEY.withShard(1));
    assertThat(result.seen()).as("what is there now").isEqualTo(it.table.shards(KEY));
    assertThat(it.levels()).isEqualTo(Map.of(0, 2, 1, 2));
    assertThat(it.tokensMilli()).isEqualTo(4_000);
  }

  /** One step each: the next who draws it takes the next one. */
  @Test
  void start_severalLevelsBehind_takesOneStep() {
    ReshapeCase it = ReshapeCase.of(8, Map.of(0, 1));

    SplitMergeProtocol.Result first = it.reshape(7);
    assertThat(first.kind()).isEqualTo(Kind.SPLIT);
    assertThat(first.holder()).isEqualTo(KEY.withShard(1));
    assertThat(it.reshape(7).holder()).isEqualTo(KEY.withShard(3));
    assertThat(it.reshape(7).holder()).isEqualTo(KEY.withShard(7));
    assertThat(it.reshape(7).kind()).isEqualTo(Kind.NONE);
    assertThat(it.levels()).isEqualTo(Map.of(0, 2, 1, 4, 3, 8, 7, 8));
  }

  /** Shard 2 is split off shard 0, which has to split twice for it. */
  @Test
  void start_parentTwoLevelsBehind_splitsTheParent() {
    ReshapeCase it = ReshapeCase.of(4, Map.of(0, 1));

    assertThat(it.reshape(2).holder()).isEqualTo(KEY);
    assertThat(it.levels()).isEqualTo(Map.of(0, 2, 1, 2));
    assertThat(it.reshape(2).holder()).isEqualTo(KEY.withShard(2));
    assertThat(it.levels()).isEqualTo(Map.of(0, 4, 1, 2, 2, 4));
  }

  /**
   * What a shard was told when it was made may be long out of date: the first one's word counts.
   */
  @Test
  void start_shardThatWasToldAnotherCount_followsTheFirst() {
    ReshapeCase it = ReshapeCase.of(4, Map.of(0, 2, 1, 2));
    it.table.put(Shards.shard(1, Division.of(2, 2), T, holds(RPM, 4)));

    assertThat(it.reshape(3).kind()).isEqualTo(Kind.SPLIT);

    assertThat(it.levels()).isEqualTo(Map.of(0, 2, 1, 4, 3, 4));
    assertThat(it.table.shards(KEY).get(2).division()).isEqualTo(Division.of(4, 4));
  }

  @Test
  void start_ahead_merges() {
    ReshapeCase it = ReshapeCase.of(1, Map.of(0, 2, 1, 2));
    Script<SplitMergeProtocol.Result> script = it.begin(1).answer(it.table, T);

    assertThat(script.transaction())
        .hasExactlyElementsOfTypes(WritePlan.Locked.class, WritePlan.Remove.class);
    SplitMergeProtocol.Result result = script.answer(it.table, T).result();

    assertThat(result.kind()).isEqualTo(Kind.MERGED);
    assertThat(result.holder()).isEqualTo(KEY);
    assertThat(result.seen()).isEqualTo(it.table.shards(KEY)).hasSize(1);
    assertThat(it.tokensMilli()).isEqualTo(8_000);
  }

  @Test
  void start_aheadAndTheChildNotOnThePath_readsIt() {
    ReshapeCase it = ReshapeCase.of(1, Map.of(0, 2, 1, 2));
    Script<SplitMergeProtocol.Result> script = it.begin(0);

    assertThat(script.call()).isEqualTo(readAll(0));
    assertThat(script.answer(it.table, T).call()).isEqualTo(new StoreCall.Read(KEY.withShard(1)));
    assertThat(script.answer(it.table, T).finish(it.table, T).kind()).isEqualTo(Kind.MERGED);
  }

  /** Shard 1 has split further than shard 0, so those two cannot be merged before it is. */
  @Test
  void start_childHasSplitFurther_mergesBelowFirst() {
    ReshapeCase it = ReshapeCase.of(1, Map.of(0, 2, 1, 4, 3, 8, 7, 8));

    SplitMergeProtocol.Result result = it.reshape(0);
    assertThat(result.kind()).isEqualTo(Kind.MERGED);
    assertThat(result.holder()).isEqualTo(KEY);
    assertThat(it.levels()).isEqualTo(Map.of(0, 2, 1, 4, 3, 4));
    it.reshape(0);
    assertThat(it.levels()).isEqualTo(Map.of(0, 2, 1, 2));
    it.reshape(0);
    assertThat(it.levels()).isEqualTo(Map.of(0, 1));
    assertThat(it.tokensMilli()).isEqualTo(4 * 4_000);
  }

  @Test
  void start_drawnBeyondTheCount_drawsOnTheOneThatHoldsIt() {
    ReshapeCase it = ReshapeCase.of(2, Map.of(0, 2, 1, 2));

    SplitMergeProtocol.Result result = it.reshape(7);

    assertThat(result.kind()).isEqualTo(Kind.NONE);
    assertThat(result.holder()).isEqualTo(KEY.withShard(1));
  }

  /** It is there, but it is not to be: its share goes to the shard within the count. */
  @Test
  void start_drawnBeyondTheCountAndThere_isMerged() {
    ReshapeCase it = ReshapeCase.of(2, Map.of(0, 2, 1, 4, 3, 4));

    SplitMergeProtocol.Result result = it.reshape(3);

    assertThat(result.kind()).isEqualTo(Kind.MERGED);
    assertThat(result.holder()).isEqualTo(KEY.withShard(1));
    assertThat(it.levels()).isEqualTo(Map.of(0, 2, 1, 2));
  }

  @Test
  void start_noBucket_isAbsent() {
    ReshapeCase it = new ReshapeCase();

    assertThat(it.begin(3).answer(it.table, T).result())
        .isEqualTo(new SplitMergeProtocol.Result(Kind.ABSENT, 0, KEY, List.of(), null));
  }

  /** Whoever draws takes a step, until everything is as it should be. */
  @Test
  void start_drawnAtRandom_reachesTheCount() {
    Laws.check(
        100,
        gen -> {
          ReshapeCase it = ReshapeCase.of(1, Map.of(0, 1));
          int count = 1;
          for (int i = 0; i < 3; i++) {
            int next = 1 << gen.between(0, 5);
            it.resize(count, next);
            count = next;
            for (int drawn = 0; drawn < gen.between(0, 100); drawn++) {
              it.reshape((int) gen.between(0, 63));
            }
          }
          for (int drawn = 0; drawn < 64; drawn++) {
            for (int step = 0; step < 64 && it.reshape(drawn).kind() != Kind.NONE; step++) {
              assertThat(it.tokensMilli()).isEqualTo(4_000);
            }
          }
          Map<Integer, Integer> all = new HashMap<>();
          for (int shard = 0; shard < count; shard++) {
            all.put(shard, count);
          }
          assertThat(it.levels()).isEqualTo(all);
        });
  }
}
