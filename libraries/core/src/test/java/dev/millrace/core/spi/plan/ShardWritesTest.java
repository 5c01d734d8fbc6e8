package dev.millrace.core.spi.plan;

import static dev.millrace.core.spi.config.ConfigLevel.RESOURCE;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.at;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.testing.Buckets;
import dev.millrace.core.testing.PureTable;
import dev.millrace.core.testing.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A shard is split in two, and two become one again. */
class ShardWritesTest {
  private static final PlanSettings SETTINGS = PlanSettings.DEFAULT;

  /** One millitoken a millisecond. */
  private static final Limit RPM = Limit.perMinute("rpm", 60);

  private static final Limit TPM = Limit.perMinute("tpm", 6_000);

  private int lastOp;
  private final PureTable table = new PureTable();

  @Test
  void split_undivided_givesHalfOfEveryBalanceAndTheTimestamp() {
    BucketState parent =
        Shards.counting(
            2, bucket(T, new LimitState(RPM, 10_001, 7), new LimitState(TPM, -5_001, 9)));

    List<WritePlan> writes = split(parent, 2);

    assertThat(writes)
        .containsExactly(
            new WritePlan.Locked(
                KEY,
                T,
                /* level= */ 1,
                T,
                List.of(
                    new LimitChange("rpm", -5_000, 0, 5_000, LimitChange.NO_CEILING),
                    new LimitChange("tpm", 2_500, 0, LimitChange.NO_FLOOR, -2_500)),
                WritePlan.Parameters.dividing(Division.of(2, 2)),
                /* addWcuMilli= */ -2_000,
                BucketState.NEVER,
                "op-1"),
            new WritePlan.Create(
                new BucketState(
                    KEY.withShard(1),
                    T,
                    List.of(new LimitState(RPM, 5_000, 0), new LimitState(TPM, -2_500, 0)),
                    Division.of(2, 2),
                    998_000,
                    BucketState.NEVER,
                    "op-2",
                    parent.stamp())));
    assertThat(make(parent, null, writes)).isTrue();
    assertThat(get(0).limits())
        .containsExactly(new LimitState(RPM, 5_001, 7), new LimitState(TPM, -2_501, 9));
  }

  @Test
  void split_aShardThatIsBehind_makesTheNextOfItsLevel() {
    BucketState parent =
        at(on(RESOURCE, 3), Shards.shard(1, Division.of(2, 2), T, new LimitState(RPM, 4_000, 5)));

    assertThat(make(parent, null, split(parent, 8))).isTrue();

    assertThat(get(1).division()).isEqualTo(Division.of(2, 4));
    BucketState child = get(3);
    assertThat(child.division()).isEqualTo(Division.of(8, 4));
    assertThat(child.stamp()).isEqualTo(on(RESOURCE, 3));
    assertThat(child.limits()).containsExactly(new LimitState(RPM, 2_000, 0));
    assertThat(ShardWrites.childOf(get(1))).isEqualTo(KEY.withShard(5));
    assertThat(ShardWrites.lastChildOf(get(1))).isEqualTo(KEY.withShard(3));
  }

  @Test
  void split_balanceAboveTheCeiling_givesNoMoreThanTheChildCanHold() {
    BucketState parent = Shards.counting(2, bucket(T, holds(RPM, 100)));

    make(parent, null, split(parent, 2));

    assertThat(tokensMilli(0)).isEqualTo(70_000);
    assertThat(tokensMilli(1)).isEqualTo(30_000);
  }

  /** The pressure on either of the two is not known yet. */
  @Test
  void split_spentWriteUnits_beginAnew() {
    BucketState parent = Shards.counting(2, bucket(T, holds(RPM, 10)).withWcuMilli(-40_000));

    make(parent, null, split(parent, 2));

    assertThat(get(0).wcuMilli()).isEqualTo(998_000);
    assertThat(get(1).wcuMilli()).isEqualTo(998_000);
  }

  @Test
  void split_expiringBucket_nolongerExpires() {
    BucketState parent =
        Shards.counting(2, new BucketState(KEY, T, bucket(T, holds(RPM, 10)).limits(), 7, "op"));

    make(parent, null, split(parent, 2));

    assertThat(get(0).expiresAtSeconds()).isEqualTo(BucketState.NEVER);
  }

  @Test
  void split_consumedMeanwhile_isRefusedOnceTheHalfThatGoesIsNotThere() {
    BucketState parent = Shards.counting(2, bucket(T, holds(RPM, 10)));
    List<WritePlan> writes = split(parent, 2);

    assertThat(make(holding(parent, 4_999), null, writes)).isFalse();
    assertThat(make(holding(parent, 5_000), null, writes)).isTrue();
    assertThat(tokensMilli(0)).isZero();
    assertThat(tokensMilli(1)).isEqualTo(5_000);
  }

  /** A debt that was paid back meanwhile must not come back with the child. */
  @Test
  void split_debtPaidMeanwhile_isRefused() {
    BucketState parent = Shards.counting(2, bucket(T, holds(RPM, -10)));
    List<WritePlan> writes = split(parent, 2);

    assertThat(make(holding(parent, -4_999), null, writes)).isFalse();
    assertThat(make(holding(parent, 3_000), null, writes)).isFalse();
    assertThat(make(holding(parent, -5_000), null, writes)).isTrue();
    assertThat(tokensMilli(0)).isZero();
    assertThat(tokensMilli(1)).isEqualTo(-5_000);
  }

  @Test
  void split_twoRacers_oneWins() {
    BucketState parent = Shards.counting(4, bucket(T, holds(RPM, 10)));
    List<WritePlan> first = split(parent, 4);
    List<WritePlan> second = split(parent, 4);

    assertThat(make(parent, null, first)).isTrue();
    assertThat(send(second)).isFalse();
    assertThat(send(split(get(0), 4))).as("from what is there it splits further").isTrue();
    assertThat(table.shards(KEY)).extracting(s -> s.key().shard()).containsExactly(0, 1, 2);
  }

  @Test
  void split_resizedMeanwhile_isRefused() {
    BucketState parent = Shards.counting(2, bucket(T, holds(RPM, 10)));

    assertThat(make(Shards.counting(1, parent), null, split(parent, 2))).isFalse();
  }

  @Test
  void split_claimedMeanwhile_isRefused() {
    BucketState parent = Shards.counting(2, bucket(T, holds(RPM, 10)));
    List<WritePlan> writes = split(parent, 2);

    assertThat(make(Shards.counting(2, bucket(T + 1, holds(RPM, 10))), null, writes)).isFalse();
  }

  @Test
  void split_writesPlannedBefore_areRefused() {
    BucketState parent = Shards.counting(2, bucket(T, holds(RPM, 10)));
    BucketView stale = BucketView.of(parent, LimitSet.of(RPM), T + 50, SETTINGS.maxSkewMs());
    stale.take(Buckets.tokens(LimitSet.of(RPM), 1));
    make(parent, null, split(parent, 2));

    assertThat(PlanEffect.accepts(get(0), WritePlanner.locked(stale, false, "late"))).isFalse();
    assertThat(PlanEffect.accepts(get(0), WritePlanner.locked(stale, true, "late"))).isFalse();
    assertThat(PlanEffect.accepts(get(0), WritePlanner.consume(stale, SETTINGS, "late"))).isFalse();
  }

  @Test
  void merge_two_claimsBothToNowAndSumsThem() {
    BucketState parent = shard(0, T, new LimitState(RPM, 10_000, 7));
    BucketState child = shard(1, T - 500, new LimitState(RPM, -3_000, 9));

    List<WritePlan> writes = merge(parent, child, T + 1_000);

    assertThat(make(parent, child, writes)).isTrue();
    assertThat(table.get(child.key())).isNull();
    BucketState after = get(0);
    assertThat(after.limits())
        .as("500 ms and 1,000 ms, of which each earned half, 250 of it before")
        .containsExactly(new LimitState(RPM, 10_000 + 500 - 3_000 + 750, 16));
    assertThat(after.refilledAtMs()).isEqualTo(T + 1_000);
    assertThat(after.division()).isEqualTo(Division.of(1, 1));
    assertThat(after.wcuMilli()).isEqualTo(998_000);
  }

  @Test
  void merge_toTheWhole_mayExpireAgain() {
    BucketState whole = merged(shard(0, T, holds(RPM, 10)), shard(1, T, holds(RPM, 10)));
    assertThat(whole.expiresAtSeconds()).isEqualTo(T / 1_000 + 3_600);

    BucketState half =
        merged(
            Shards.shard(1, Division.of(2, 4), T, holds(RPM, 10)),
            Shards.shard(3, Division.of(4, 4), T, holds(RPM, 10)));
    assertThat(half.expiresAtSeconds()).isEqualTo(BucketState.NEVER);
    assertThat(half.division()).isEqualTo(Division.of(2, 2));
  }

  /** What is above the ceiling of either is clipped, as its own claim would have done. */
  @Test
  void merge_refundsAboveTheCeiling_areClipped() {
    BucketState after = merged(shard(0, T, holds(RPM, 45)), shard(1, T, holds(RPM, 31)));

    assertThat(after.limits()).containsExactly(holds(RPM, 60));
  }

  @Test
  void merge_childWrittenMeanwhile_isRefused() {
    BucketState parent = shard(0, T, holds(RPM, 10));
    BucketState child = shard(1, T, holds(RPM, 10));
    List<WritePlan> writes = merge(parent, child, T);
    WritePlan charge =
        new WritePlan.Adjust(
            child.key(), List.of(LimitChange.unconditional("rpm", -1, 1)), 0, "charge");

    assertThat(make(parent, Objects.requireNonNull(PlanEffect.apply(child, charge)), writes))
        .isFalse();
    assertThat(table.get(child.key())).isNotNull();
  }

  @Test
  void merge_parentConsumedMeanwhile_losesNothing() {
    BucketState parent = shard(0, T, holds(RPM, 10));
    BucketState child = shard(1, T, holds(RPM, 10));
    List<WritePlan> writes = merge(parent, child, T + 1_000);

    assertThat(make(holding(parent, 2_000), child, writes)).isTrue();
    assertThat(tokensMilli(0)).isEqualTo(2_000 + 500 + 10_000 + 500);
  }

  /** Credit was clipped for the balance that was read: of a lower one it would be lost. */
  @Test
  void merge_fullParentConsumedMeanwhile_isRefused() {
    BucketState parent = shard(0, T, holds(RPM, 30));
    BucketState child = shard(1, T, holds(RPM, 10));
    List<WritePlan> writes = merge(parent, child, T + 1_000);

    assertThat(make(holding(parent, 29_999), child, writes)).isFalse();
    assertThat(make(parent, child, writes)).isTrue();
  }

  @Test
  void merge_twoRacers_oneWins() {
    BucketState parent = shard(0, T, holds(RPM, 10));
    BucketState child = shard(1, T, holds(RPM, 10));
    List<WritePlan> first = merge(parent, child, T);
    List<WritePlan> second = merge(parent, child, T);

    assertThat(make(parent, child, first)).isTrue();
    assertThat(send(second)).isFalse();
  }

  @Test
  void merge_timestampSlightlyAhead_isKept() {
    BucketState after = merged(shard(0, T, holds(RPM, 10)), shard(1, T + 10_000, holds(RPM, 10)));

    assertThat(after.refilledAtMs()).isEqualTo(T + 10_000);
    assertThat(after.limits()).containsExactly(holds(RPM, 25));
  }

  @Test
  void merge_wildTimestamp_isLeftToThoseWhoAcquire() {
    BucketState wild = shard(1, T + 10_001, holds(RPM, 10));

    assertThat(planMerge(shard(0, T, holds(RPM, 10)), wild, T)).isNull();
    assertThat(planMerge(shard(0, T + 10_001, holds(RPM, 10)), shard(1, T), T)).isNull();
  }

  @Test
  void merge_childThatIsAhead_waitsForTheParent() {
    BucketState parent = at(on(RESOURCE, 3), shard(0, T, holds(RPM, 10)));
    BucketState child = shard(1, T, holds(RPM, 10));

    assertThat(planMerge(parent, at(on(RESOURCE, 4), child), T)).isNull();
    assertThat(planMerge(parent, at(on(RESOURCE, 3), child), T)).isNotNull();
    assertThat(planMerge(parent, at(on(RESOURCE, 2), child), T)).isNotNull();
  }

  /** It earned at the old rate, and is clipped to the new ceiling. */
  @Test
  void merge_childWithOtherParameters_takesOnThoseOfTheParent() {
    Limit smaller = Limit.perMinute("rpm", 6);
    BucketState parent = at(on(RESOURCE, 4), shard(0, T, holds(smaller, 1)));
    BucketState child = at(on(RESOURCE, 3), shard(1, T, holds(RPM, 1), holds(TPM, 9)));

    BucketState after = merged(parent, child, T + 1_000);
    assertThat(after.limits())
        .as("50 in a second at the new rate, 500 at the old one")
        .containsExactly(new LimitState(smaller, 1_000 + 50 + 1_000 + 500, 0));

    BucketState clipped = merged(parent, at(on(RESOURCE, 3), shard(1, T, holds(RPM, 20))), T);
    assertThat(clipped.limits()).containsExactly(holds(smaller, 4));
  }

  /** A limit that is added starts full, in every shard. */
  @Test
  void merge_childThatLacksALimit_bringsItsShareOfIt() {
    BucketState parent = at(on(RESOURCE, 4), shard(0, T, holds(RPM, 1), holds(TPM, 7)));
    BucketState child = at(on(RESOURCE, 3), shard(1, T, holds(RPM, 1)));

    assertThat(merged(parent, child, T).limits()).containsExactly(holds(RPM, 2), holds(TPM, 3_007));
  }

  /** The millisecond at which both stand is not claimed for a child that has other limits. */
  @Test
  void merge_childWithOtherParametersAtTheSameInstant_earnsNothing() {
    Limit faster = Limit.perSecond("rpm", 60);
    BucketState parent = at(on(RESOURCE, 4), shard(0, T, holds(RPM, 1)));
    BucketState child = at(on(RESOURCE, 3), shard(1, T, holds(faster, 1)));

    BucketState after = merged(parent, child, T);

    assertThat(after.refilledAtMs()).isEqualTo(T);
    assertThat(after.limits()).containsExactly(holds(RPM, 2));
  }

  /**
   * With limits that come with calls the parent may have let go one that was full, while the child
   * still owes: the debt must not be forgotten.
   */
  @Test
  void merge_limitThatOnlyTheChildStillHas_comesBackWithItsDebt() {
    BucketState parent = shard(0, T, holds(RPM, 1));
    BucketState child = shard(1, T, holds(RPM, 1), new LimitState(TPM, -9_000, 40));

    BucketState after = merged(parent, child, T);

    assertThat(after.limits())
        .containsExactly(holds(RPM, 2), new LimitState(TPM, 3_000_000 - 9_000, 40));
    assertThat(merged(parent, shard(1, T, holds(RPM, 1), holds(TPM, 3_000)), T).limits())
        .as("a full one goes here too")
        .containsExactly(holds(RPM, 2));
  }

  /** Stored limits are all there are: what they do not have was deleted. */
  @Test
  void merge_limitThatWasDeleted_goes() {
    BucketState parent = at(on(RESOURCE, 4), shard(0, T, holds(RPM, 1)));
    BucketState child = at(on(RESOURCE, 4), shard(1, T, holds(RPM, 1), holds(TPM, -9)));

    assertThat(merged(parent, child, T).limits()).containsExactly(holds(RPM, 2));
  }

  /** Callers with different limits can leave more in a bucket than one of them may name. */
  @Test
  void merge_moreLimitsThanACallerMayName_areAllMerged() {
    List<LimitState> many = new ArrayList<>();
    for (int i = 0; i <= LimitSet.MAX_LIMITS; i++) {
      many.add(holds(Limit.perMinute("limit-" + (char) ('a' + i), 60), 3));
    }
    LimitState[] limits = many.toArray(LimitState[]::new);

    assertThat(merged(shard(0, T, limits), shard(1, T, limits), T).limits())
        .hasSize(LimitSet.MAX_LIMITS + 1)
        .allSatisfy(limit -> assertThat(limit.tokensMilli()).isEqualTo(6_000));
  }

  private static BucketState shard(int shard, long refilledAtMs, LimitState... limits) {
    return Shards.shard(shard, Division.of(1, 2), refilledAtMs, limits);
  }

  private static BucketState holding(BucketState state, long tokensMilli) {
    LimitState limit = state.limits().get(0);
    return new BucketState(
        state.key(),
        state.refilledAtMs(),
        List.of(new LimitState(limit.limit(), tokensMilli, limit.consumedMilli())),
        state.division(),
        state.wcuMilli(),
        state.expiresAtSeconds(),
        state.op(),
        state.stamp());
  }

  private String nextOp() {
    return "op-" + ++lastOp;
  }

  private List<WritePlan> split(BucketState parent, int count) {
    return ShardWrites.split(parent, count, WriteUnits.DYNAMODB, this::nextOp);
  }

  private @Nullable List<WritePlan> planMerge(BucketState parent, BucketState child, long nowMs) {
    return ShardWrites.merge(parent, child, nowMs, SETTINGS, this::nextOp);
  }

  private List<WritePlan> merge(BucketState parent, BucketState child, long nowMs) {
    return Objects.requireNonNull(planMerge(parent, child, nowMs));
  }

  private BucketState merged(BucketState parent, BucketState child) {
    return merged(parent, child, T);
  }

  private BucketState merged(BucketState parent, BucketState child, long nowMs) {
    assertThat(make(parent, child, merge(parent, child, nowMs))).isTrue();
    return Objects.requireNonNull(table.get(parent.key()));
  }

  /** Sends the writes to a table that has just these; whether they were made. */
  private boolean make(BucketState parent, @Nullable BucketState child, List<WritePlan> writes) {
    table.put(parent);
    if (child != null) {
      table.put(child);
    }
    return send(writes);
  }

  private boolean send(List<WritePlan> writes) {
    StoreCall call = new StoreCall.Transaction(writes, List.of(), nextOp());
    return table.execute(call) instanceof StoreReply.Committed;
  }

  private BucketState get(int shard) {
    return Objects.requireNonNull(table.get(KEY.withShard(shard)));
  }

  private long tokensMilli(int shard) {
    return Shards.tokensMilli(get(shard), "rpm");
  }
}
