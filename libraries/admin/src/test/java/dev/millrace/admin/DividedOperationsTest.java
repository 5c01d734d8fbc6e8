package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reset and top-up of a bucket of several shards are what they are to an undivided one. */
class DividedOperationsTest {
  /** So slow that a millisecond earns nothing. */
  private static final LimitSet SLOW = LimitSet.of(Limit.perDay("tpd", 100));

  private static final BucketKey KEY = BucketKey.first(World.NS, "e", "r");

  private final World world = new World();
  private final BucketAdmin buckets = world.ns.buckets();

  private void given(int shards) {
    world.ns.limits().set(LimitTarget.resource("r"), SLOW);
    world.open("e", "r", shards);
  }

  private long tokens(int shard) {
    return Objects.requireNonNull(world.bucket("e", "r", shard).find("tpd")).tokensMilli();
  }

  private long tokens() {
    return world.tokensMilli("e", "r", "tpd");
  }

  private void empty() {
    for (BucketState shard : world.shards("e", "r")) {
      world.charge(shard.key(), "tpd", tokens(shard.key().shard()) / 1_000 + 1);
    }
  }

  @Test
  void reset_mixedLevels_fillsEveryShardToItsOwnCeiling() {
    given(2);
    world.split(KEY);
    world.split(KEY.withShard(2));
    empty();

    assertThat(buckets.reset("e", "r", "op-1").shards()).isEqualTo(4);

    assertThat(List.of(tokens(0), tokens(1), tokens(2), tokens(6)))
        .containsExactly(25_000L, 50_000L, 12_500L, 12_500L);
    assertThat(tokens()).isEqualTo(100_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 16, 64})
  void topUp_anyNumberOfShards_addsUpExactly(int shards) {
    given(shards);
    empty();
    long before = tokens();

    buckets.topUp("e", "r", Map.of("tpd", 7L), "op-1");

    assertThat(tokens() - before).isEqualTo(7_000);
    AuditEntry event = world.ns.audit().ofEntity("e", AuditQuery.newest(1)).items().get(0);
    assertThat(event.before()).containsEntry("tokens.tpd", Limit.tokens(before));
    assertThat(event.after()).containsEntry("tokens.tpd", Limit.tokens(before + 7_000));
  }

  @Test
  void topUp_remainder_goesToTheShardsWhoseShareItIs() {
    given(16);
    empty();
    List<Long> before = world.shards("e", "r").stream().map(each -> tokens(shard(each))).toList();

    buckets.topUp("e", "r", Map.of("tpd", 7L), "op-1");

    for (int shard = 0; shard < 16; shard++) {
      assertThat(tokens(shard) - before.get(shard)).isEqualTo(shard < 7_000 % 16 ? 438 : 437);
    }
  }

  private static int shard(BucketState state) {
    return state.key().shard();
  }

  @Test
  void topUp_mixedLevels_addsUpExactly() {
    given(4);
    world.split(KEY.withShard(3));
    world.split(KEY.withShard(7));
    world.split(KEY.withShard(7));
    empty();
    long before = tokens();

    buckets.topUp("e", "r", Map.of("tpd", 7L), "op-1");

    assertThat(tokens() - before).isEqualTo(7_000);
  }

  @Test
  void topUp_oneShardFull_theOthersGetItsPart() {
    given(4);
    world.charge(KEY.withShard(2), "tpd", 20);
    world.charge(KEY.withShard(3), "tpd", 5);

    buckets.topUp("e", "r", Map.of("tpd", 12L), "op-1");

    assertThat(tokens()).isEqualTo(87_000);
    assertThat(tokens(0)).isEqualTo(25_000);

    buckets.topUp("e", "r", Map.of("tpd", 1_000L), "op-2");

    assertThat(tokens()).as("never above the ceiling").isEqualTo(100_000);
  }

  @Test
  void topUp_splitMeanwhile_isPlannedAnew() {
    given(2);
    empty();
    long before = tokens();
    world.store.once(Calls.transactions(), Fault.before(() -> world.split(KEY)));
    world.store.once(Calls.transactions(), Fault.before(() -> world.split(KEY.withShard(1))));

    OperationResult result = buckets.topUp("e", "r", Map.of("tpd", 7L), "op-1");

    assertThat(world.store.rulesLeft()).isZero();
    assertThat(result.shards()).isEqualTo(4);
    assertThat(tokens() - before).isEqualTo(7_000);
    assertThat(world.actions("e")).containsExactly("bucket.topUp");
  }

  @Test
  void topUp_mergedMeanwhile_isPlannedAnew() {
    given(4);
    empty();
    long before = tokens();
    world.store.once(Calls.transactions(), Fault.before(() -> world.merge(KEY)));

    OperationResult result = buckets.topUp("e", "r", Map.of("tpd", 7L), "op-1");

    assertThat(result.shards()).isEqualTo(3);
    assertThat(tokens() - before).isEqualTo(7_000);
  }

  @Test
  void reset_shardThatOneReadDoesNotSee_isReadAgain() {
    given(4);
    empty();
    world.store.once(HiddenShards.readsOf(KEY.withShard(3)), HiddenShards.bucket(KEY.withShard(3)));

    assertThat(buckets.reset("e", "r", "op-1").shards()).isEqualTo(4);

    assertThat(world.store.rulesLeft()).isZero();
    assertThat(tokens()).isEqualTo(100_000);
  }

  @Test
  void get_shardThatOneReadDoesNotSee_isReadAgain() {
    given(4);
    world.store.once(HiddenShards.readsOf(KEY.withShard(3)), HiddenShards.bucket(KEY.withShard(3)));
    assertThat(buckets.get("e", "r").orElseThrow().shards()).isEqualTo(4);
  }

  @Test
  void reset_shardGoneForGood_failsAndWritesNothing() {
    given(4);
    empty();
    world.memory.remove(KEY.withShard(3));
    List<BucketState> before = world.shards("e", "r");

    assertThatThrownBy(() -> buckets.reset("e", "r", "op-1"))
        .isInstanceOf(LimiterUnavailableException.class)
        .hasMessageContaining("shards of the bucket are missing")
        .hasMessageContaining("shards=3");

    assertThat(world.actions("e")).isEmpty();
    assertThat(world.shards("e", "r")).isEqualTo(before);
    assertThat(buckets.get("e", "r").orElseThrow().shards()).as("what is left").isEqualTo(3);
  }

  @Test
  void operations_everyShard_paysForItsWrite() {
    given(2);
    long fullMilli = WriteUnits.DYNAMODB.fullMilli();

    buckets.reset("e", "r", "op-1");

    assertThat(world.shards("e", "r"))
        .extracting(BucketState::wcuMilli)
        .containsExactly(fullMilli - 2_000, fullMilli - 2_000);
    world.clock.advance(Duration.ofSeconds(1));
    world.store.once(Calls.transactions(), Fault.before(() -> world.split(KEY)));
    buckets.reset("e", "r", "op-2");
    assertThat(world.bucket("e", "r", 1).wcuMilli())
        .as("the transaction that was cancelled, too")
        .isEqualTo(fullMilli - 4_000);
    assertThat(buckets.get("e", "r").orElseThrow().limits())
        .extracting(each -> each.limit().name())
        .containsExactly("tpd");
  }

  /** A limit that came with a call is in the shards that such calls have drawn on. */
  @Test
  void limitOfSomeShards_elsewhere_countsAsFull() {
    LimitSet both = LimitSet.of(Limit.perDay("tpd", 100), Limit.perDay("xpd", 40));
    world.create(KEY, 2, SLOW, ConfigStamp.CALL);
    world.create(KEY.withShard(1), 2, both, ConfigStamp.CALL);
    world.charge(KEY.withShard(1), "xpd", 15);

    assertThat(buckets.get("e", "r").orElseThrow().limits().get(1))
        .isEqualTo(new BucketReport.Balance(both.get(1), 25_000, 15_000));
    buckets.topUp("e", "r", Map.of("xpd", 8L), "op-1");
    assertThat(buckets.get("e", "r").orElseThrow().limits().get(1).availableMilli())
        .isEqualTo(33_000);
    buckets.reset("e", "r", Set.of("xpd"), "op-2");
    assertThat(buckets.get("e", "r").orElseThrow().limits().get(1).availableMilli())
        .isEqualTo(40_000);
    assertThat(world.bucket("e", "r").find("xpd")).isNull();
  }
}
