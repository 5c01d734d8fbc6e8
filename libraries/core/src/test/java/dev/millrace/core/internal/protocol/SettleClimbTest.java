package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.LIMITS;
import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.CommitCase.ops;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.tokens;
import static dev.millrace.core.testing.Script.LOST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.PureTable;
import dev.millrace.core.testing.Script;
import dev.millrace.core.testing.Shards;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The shard of a lease was merged into another meanwhile: that one is settled. */
class SettleClimbTest {
  private final PureTable table = new PureTable();

  @Test
  void start_shardThere_isSettledWithoutAnExpiry() {
    BucketState there = Shards.shard(3, 4, T, holds(RPM, 10));
    table.put(there);
    Script<SettleProtocol.Result> script = settle(3, 4, null);

    assertThat(script.plan(WritePlan.Adjust.class).expiresAtSeconds()).isEqualTo(BucketState.NEVER);
    assertThat(script.answer(table, T).result().failure()).isNull();
    assertThat(tokensMilli(3)).isEqualTo(6_000);
  }

  @Test
  void write_merged_chargesTheNextThatIsThere() {
    table.put(Shards.shard(0, 2, T, holds(RPM, 10)));
    table.put(Shards.shard(1, 2, T, holds(RPM, 10)));

    SettleProtocol.Result result = settle(7, 4, null).finish(table, T);

    assertThat(result.failure()).isNull();
    assertThat(Objects.requireNonNull(result.snapshot()).state().key()).isEqualTo(KEY.withShard(1));
    assertThat(tokensMilli(1)).isEqualTo(6_000);
    assertThat(tokensMilli(0)).isEqualTo(10_000);
    assertThat(table.shards(KEY)).hasSize(2);
  }

  /** What the shard held went with it, so what is given back belongs there too. */
  @Test
  void write_merged_givesBackToTheNextThatIsThere() {
    table.put(bucket(T, holds(RPM, 10)));

    settle(5, -4, null).finish(table, T);

    assertThat(tokensMilli(0)).isEqualTo(14_000);
    assertThat(table.shards(KEY)).hasSize(1);
  }

  /** Nothing is known of the parent, so it is asked to expire, and tells that it may not. */
  @Test
  void write_mergedIntoADividedFirst_comesAgainWithoutAnExpiry() {
    table.put(Shards.shard(0, 2, T, holds(RPM, 10)));
    Script<SettleProtocol.Result> script = settle(2, 4, null).answer(table, T);

    assertThat(script.plan(WritePlan.Adjust.class).expiresAtSeconds()).isPositive();
    assertThat(script.answer(table, T).plan(WritePlan.Adjust.class).expiresAtSeconds())
        .isEqualTo(BucketState.NEVER);
    script.answer(table, T);
    assertThat(tokensMilli(0)).isEqualTo(6_000);
  }

  @Test
  void write_noneOfThemThere_makesTheFirst() {
    assertThat(settle(3, 4, null).finish(table, T).failure()).isNull();

    assertThat(table.shards(KEY)).hasSize(1);
    assertThat(tokensMilli(0)).isEqualTo(56_000);
  }

  @Test
  void write_noneOfThemThereAndOnlyARefund_makesNone() {
    assertThat(settle(3, -4, null).finish(table, T))
        .isEqualTo(new SettleProtocol.Result(null, null, 0));
    assertThat(table.shards(KEY)).isEmpty();
  }

  /** However deep it was: a charge must not be lost on the way up. */
  @Test
  void write_mergedFromTheDeepest_arrivesAtTheFirst() {
    table.put(bucket(T, holds(RPM, 10)));

    assertThat(settle(BucketKey.MAX_SHARDS - 1, 4, null).finish(table, T).failure()).isNull();

    assertThat(tokensMilli(0)).isEqualTo(6_000);
  }

  @Test
  void write_parentLacksTheLimit_isDone() {
    table.put(bucket(T, holds(Limit.perDay("other", 5), 1)));

    assertThat(settle(1, 4, null).finish(table, T))
        .isEqualTo(new SettleProtocol.Result(null, null, 0));
  }

  @Test
  void write_parentRefusesEveryTime_isContended() {
    BucketState there = bucket(T, holds(RPM, 10));
    Script<SettleProtocol.Result> script = settle(1, 4, null).answer(table, T);
    for (int i = 0; i < SettleProtocol.MAX_ATTEMPTS; i++) {
      assertThat(script.plan(WritePlan.Adjust.class).key()).isEqualTo(KEY);
      script.answer(new StoreReply.Refused(there, Receipt.NONE), T);
    }

    assertThat(script.result().failure())
        .isEqualTo(new StoreFailure(StoreFailure.Kind.CONTENDED, null));
  }

  /** What was seen of the shard says nothing about its parent. */
  @Test
  void write_mergedAndSeenBefore_forgetsWhatWasSeen() {
    Limit daily = Limit.perDay("rpd", 100);
    BucketState seen = Shards.shard(1, 2, T, holds(RPM, 10), holds(daily, -50));
    table.put(bucket(T, holds(RPM, 10)));

    settle(1, 4, BucketSnapshot.of(seen, T)).finish(table, T);

    assertThat(Objects.requireNonNull(table.get(KEY)).expiresAtSeconds())
        .isEqualTo(T / 1_000 + 3_600);
  }

  @Test
  void write_answerOfTheParentLost_isRecognisedThere() {
    table.put(bucket(T, holds(RPM, 10)));
    Script<SettleProtocol.Result> script = settle(1, 4, null).answer(table, T);
    table.execute(script.call());

    SettleProtocol.Result result =
        script.answer(new StoreReply.Unknown(LOST, Receipt.NONE), T).finish(table, T);

    assertThat(result.failure()).isNull();
    assertThat(result.unknownOutcomes()).isEqualTo(1);
    assertThat(tokensMilli(0)).isEqualTo(6_000);
  }

  /** The charge may have been made before the merge: once more is the safe side. */
  @Test
  void write_answerLostAndMergedMeanwhile_chargesTheParentOnceMore() {
    table.put(Shards.shard(1, 2, T, holds(RPM, 10)));
    Script<SettleProtocol.Result> script = settle(1, 4, null);
    table.execute(script.call());
    script.answer(new StoreReply.Unknown(LOST, Receipt.NONE), T);
    PureTable merged = new PureTable();
    merged.put(bucket(T, new LimitState(RPM, 16_000, 4_000)));

    SettleProtocol.Result result = script.finish(merged, T);

    assertThat(result).isEqualTo(new SettleProtocol.Result(null, result.snapshot(), 1, LOST, null));
    assertThat(Objects.requireNonNull(merged.get(KEY)).limits())
        .containsExactly(new LimitState(RPM, 12_000, 8_000));
  }

  private long tokensMilli(int shard) {
    return Shards.tokensMilli(Objects.requireNonNull(table.get(KEY.withShard(shard))), "rpm");
  }

  private static Script<SettleProtocol.Result> settle(
      int shard, long tokens, @Nullable BucketSnapshot known) {
    SettleProtocol settle =
        new SettleProtocol(
            KEY.withShard(shard), EffectiveLimits.ofCall(LIMITS), PlanSettings.DEFAULT, ops());
    return Script.of(settle.start(tokens(LIMITS, tokens), known, T));
  }
}
