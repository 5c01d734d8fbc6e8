package dev.millrace.core.spi.plan;

import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.testing.Shards;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What plans do to a shard, and which of them it refuses. */
class PlanEffectShardsTest {
  private static final Limit RPM = Limit.perMinute("rpm", 60);
  private static final BucketState SHARD = Shards.shard(1, 2, T, holds(RPM, 10));
  private static final BucketState FIRST = Shards.shard(0, Division.of(4, 2), T, holds(RPM, 10));
  private static final BucketState WHOLE = bucket(T, holds(RPM, 10));
  private static final List<LimitChange> TAKE =
      List.of(LimitChange.unconditional("rpm", -1_000, 1_000));

  /** A split leaves the timestamp, so the timestamp alone would not tell. */
  @Test
  void apply_lockedForAnotherLevel_isRefused() {
    assertThat(PlanEffect.apply(SHARD, locked(SHARD, 1, WritePlan.Parameters.UNCHANGED))).isNull();
    assertThat(PlanEffect.apply(SHARD, locked(SHARD, 4, WritePlan.Parameters.UNCHANGED))).isNull();
    assertThat(applied(SHARD, locked(SHARD, 2, WritePlan.Parameters.UNCHANGED)).division())
        .isEqualTo(Division.of(2, 2));
  }

  @Test
  void apply_consumeForAnotherLevel_isRefused() {
    assertThat(PlanEffect.apply(SHARD, consume(1))).isNull();
    assertThat(PlanEffect.apply(SHARD, consume(4))).isNull();
    assertThat(Shards.tokensMilli(applied(SHARD, consume(2)), "rpm")).isEqualTo(9_000);
  }

  @Test
  void apply_everyKind_debitsTheWriteUnits() {
    assertThat(applied(SHARD, consume(2)).wcuMilli()).isEqualTo(999_000);
    assertThat(applied(SHARD, locked(SHARD, 2, WritePlan.Parameters.UNCHANGED)).wcuMilli())
        .isEqualTo(999_000);
    assertThat(applied(SHARD, adjust(BucketState.NEVER)).wcuMilli()).isEqualTo(999_000);
    assertThat(applied(WHOLE, new WritePlan.Resize(KEY, 1, 2, -1_000, "op")).wcuMilli())
        .isEqualTo(999_000);
  }

  @Test
  void apply_division_setsTheLevelAndNeedsTheCount() {
    WritePlan four = locked(FIRST, 2, WritePlan.Parameters.dividing(Division.of(4, 4)));

    BucketState after = applied(FIRST, four);
    assertThat(after.division()).isEqualTo(Division.of(4, 4));
    assertThat(after.limits()).extracting(limit -> limit.tokensMilli()).containsExactly(9_000L);
    assertThat(PlanEffect.apply(Shards.counting(2, FIRST), four)).isNull();
    assertThat(PlanEffect.apply(Shards.counting(8, FIRST), four)).isNull();
  }

  /** Were one shard of several forgotten, the bucket would hold less. */
  @Test
  void apply_adjustThatSetsAnExpiry_isRefusedByAShardOfSeveral() {
    assertThat(PlanEffect.apply(SHARD, adjust(7))).isNull();
    assertThat(applied(SHARD, adjust(BucketState.NEVER)).expiresAtSeconds())
        .isEqualTo(BucketState.NEVER);
    assertThat(applied(Shards.counting(8, WHOLE), adjust(KEY, 7)).expiresAtSeconds()).isEqualTo(7);
  }

  @Test
  void apply_resize_setsTheCountAloneAndTakesTheExpiryAway() {
    BucketState expiring = new BucketState(KEY, T, WHOLE.limits(), 7, "op-before");

    BucketState after = applied(expiring, new WritePlan.Resize(KEY, 1, 8, -1_000, "op"));

    assertThat(after)
        .isEqualTo(
            new BucketState(
                KEY,
                T,
                WHOLE.limits(),
                Division.of(8, 1),
                999_000,
                BucketState.NEVER,
                "op",
                WHOLE.stamp()));
  }

  @Test
  void apply_resizeOfAnotherCount_isRefused() {
    assertThat(PlanEffect.apply(FIRST, new WritePlan.Resize(KEY, 2, 8, 0, "op"))).isNull();
    assertThat(PlanEffect.apply(null, new WritePlan.Resize(KEY, 1, 2, 0, "op"))).isNull();
  }

  @Test
  void resize_ofAShardThatDoesNotDecide_isNoPlan() {
    assertThatThrownBy(() -> new WritePlan.Resize(KEY.withShard(1), 1, 2, 0, "op"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ns/key-42/gpt-4#1 does not decide how many shards there are");
    assertThatThrownBy(() -> new WritePlan.Resize(KEY, 1, 3, 0, "op"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new WritePlan.Resize(KEY, 0, 2, 0, "op"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void apply_remove_onlyAsItWasRead() {
    WritePlan remove = new WritePlan.Remove(SHARD.key(), "op-before-1", "op");

    assertThat(PlanEffect.accepts(SHARD, remove)).isTrue();
    assertThat(PlanEffect.apply(SHARD, remove)).isNull();
    assertThat(PlanEffect.accepts(applied(SHARD, consume(2)), remove)).isFalse();
    assertThat(PlanEffect.accepts(null, remove)).isFalse();
  }

  @Test
  void remove_ofTheFirstOrByItself_isNoPlan() {
    assertThatThrownBy(() -> new WritePlan.Remove(KEY, "op-before", "op"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ns/key-42/gpt-4#0 is never taken away: others are merged into it");
    WritePlan remove = new WritePlan.Remove(SHARD.key(), "op-before-1", "op");
    assertThatThrownBy(() -> new StoreCall.Write(remove))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("must be part of a transaction");
  }

  /** A store would do as it is told, and nobody could read the shard any more. */
  @Test
  void locked_levelNotAboveTheShard_isAMistake() {
    WritePlan.Parameters whole = WritePlan.Parameters.dividing(Division.of(2, 1));
    assertThatThrownBy(() -> locked(SHARD, 2, whole))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ns/key-42/gpt-4#1 cannot get the level 1: it must be above the shard");
    assertThat(locked(WHOLE, 1, whole)).isNotNull();
  }

  private static BucketState applied(BucketState state, WritePlan plan) {
    return Objects.requireNonNull(PlanEffect.apply(state, plan));
  }

  private static WritePlan locked(BucketState state, int level, WritePlan.Parameters parameters) {
    return new WritePlan.Locked(
        state.key(), T, level, T + 5, TAKE, parameters, -1_000, BucketState.NEVER, "op");
  }

  private static WritePlan consume(int level) {
    return new WritePlan.Consume(SHARD.key(), T, level, TAKE, -1_000, BucketState.NEVER, "op");
  }

  private static WritePlan adjust(long expiresAtSeconds) {
    return adjust(SHARD.key(), expiresAtSeconds);
  }

  private static WritePlan adjust(BucketKey key, long expiresAtSeconds) {
    return new WritePlan.Adjust(key, TAKE, -1_000, expiresAtSeconds, "op");
  }
}
