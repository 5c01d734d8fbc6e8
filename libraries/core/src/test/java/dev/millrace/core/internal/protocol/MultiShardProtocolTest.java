package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.LIMITS;
import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.CommitCase.ops;
import static dev.millrace.core.spi.config.ConfigLevel.RESOURCE;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.at;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.off;
import static dev.millrace.core.testing.Buckets.on;
import static dev.millrace.core.testing.Buckets.tokens;
import static dev.millrace.core.testing.Script.LOST;
import static dev.millrace.core.testing.Script.SLOW_DOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.PureTable;
import dev.millrace.core.testing.Script;
import dev.millrace.core.testing.Shards;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What no shard holds by itself is taken from several, or from none. */
class MultiShardProtocolTest {
  private static final EffectiveLimits FIVE = new EffectiveLimits(LIMITS, on(RESOURCE, 5));
  private static final StoreReply UNKNOWN = new StoreReply.Unknown(LOST, Receipt.NONE);
  private static final StoreReply THROTTLED = new StoreReply.NotApplied(SLOW_DOWN, Receipt.NONE);
  private final PureTable table = new PureTable();

  @Test
  void start_moreThanOneHolds_takesFromSeveralInOneTransaction() {
    fill(5, 7, 6, 4);
    Script<MultiShardProtocol.Result> script = take(15, 4).answer(table, T);

    assertThat(script.transaction()).hasSize(3).hasOnlyElementsOfType(WritePlan.Locked.class);
    MultiShardProtocol.Result result = script.answer(table, T + 5).result();

    assertThat(result.outcome()).isEqualTo(Outcome.ADMITTED);
    assertThat(result.taken())
        .extracting(taken -> taken.key().shard(), taken -> taken.amounts().milli(0))
        .containsExactly(tuple(1, 7_000L), tuple(2, 6_000L), tuple(0, 2_000L));
    assertThat(result.seen()).extracting(BucketSnapshot::state).isEqualTo(table.shards(KEY));
    assertThat(balances()).containsExactly(3_000L, 0L, 0L, 4_000L);
    assertThat(table.transactions()).isEqualTo(1);
  }

  @Test
  void start_believedTooFew_readsAll() {
    fill(5, 7, 6, 4);

    assertThat(begin(FIVE, 15, true, 4, /* believed= */ 1).finish(table, T).outcome())
        .isEqualTo(Outcome.ADMITTED);
  }

  @Test
  void start_moreThanAllHold_isRefusedForTheWhole() {
    fill(5, 7, -6, 4);

    MultiShardProtocol.Result result = take(11, 4).answer(table, T).result();

    assertThat(rejection(result))
        .isEqualTo(
            new LimitStatus(
                "key-42", "gpt-4", RPM, 10_000, 11_000, true, /* retryAfterMs= */ 1_000));
    assertThat(result.leftElsewhere()).isFalse();
    assertThat(result.seen()).hasSize(4);
    assertThat(result.taken()).isEmpty();
  }

  /** All together hold it, but it may not take from so many: those who ask again may be lucky. */
  @Test
  void start_inMoreShardsThanItMayTakeFrom_saysThatItIsElsewhere() {
    fill(5, 7, 6, 4);

    MultiShardProtocol.Result result = take(15, 2).answer(table, T).result();

    assertThat(rejection(result).exceeded()).isTrue();
    assertThat(rejection(result).availableMilli()).isEqualTo(22_000);
    assertThat(rejection(result).retryAfterMs()).isEqualTo(2_000);
    assertThat(result.leftElsewhere()).isTrue();
    assertThat(balances()).containsExactly(5_000L, 7_000L, 6_000L, 4_000L);
  }

  @Test
  void start_nothing_writesNothing() {
    fill(5, 7, 6, 4);

    assertThat(take(0, 4).answer(table, T).result().outcome()).isEqualTo(Outcome.ADMITTED);
    assertThat(table.transactions()).isZero();
  }

  @Test
  void start_noBucket_isGone() {
    assertThat(take(5, 4).answer(table, T).result().outcome()).isEqualTo(Outcome.GONE);
  }

  @Test
  void start_oneShardIsAhead_isOutdated() {
    fill(5, 7, 6, 4);
    put(at(on(RESOURCE, 6), shard(3, 4)));

    assertThat(take(15, 4).answer(table, T).result().outcome())
        .isEqualTo(new Outcome.Outdated(on(RESOURCE, 6)));
  }

  @Test
  void start_oneShardIsOff_isDisabled() {
    fill(5, 7, 6, 4);
    put(at(off(RESOURCE, 5), shard(3, 4)));

    assertThat(take(15, 4).answer(table, T).result().outcome()).isEqualTo(Outcome.DISABLED);
  }

  /** Also where it is newer in another record, and where its own limits would refuse. */
  @Test
  void start_olderInOneRecord_isOutdated() {
    fill(5, 7, 6, 4);
    ConfigStamp stamp = new ConfigStamp(RESOURCE, new RecordVersions(9, 0, 0, 0, 4), false);
    EffectiveLimits other = new EffectiveLimits(LimitSet.of(Limit.perMinute("rpm", 6)), stamp);

    assertThat(begin(other, 20, true, 4, 4).answer(table, T).result().outcome())
        .isEqualTo(new Outcome.Outdated(on(RESOURCE, 5)));
    assertThat(begin(other, 4, true, 4, 4).answer(table, T).result().outcome())
        .isEqualTo(new Outcome.Outdated(on(RESOURCE, 5)));
  }

  @Test
  void read_fails_isUnavailableAndNotCharged() {
    fill(5, 7, 6, 4);

    assertThat(take(15, 4).answer(THROTTLED, T).result().outcome())
        .isEqualTo(new Outcome.Unavailable(SLOW_DOWN, /* mayBeCharged= */ false));
  }

  /** What is left is chosen anew, from all of them. */
  @Test
  void take_somebodyTookSomeMeanwhile_takesFromOthersInTheNextRound() {
    fill(5, 7, 6, 4);
    Script<MultiShardProtocol.Result> script = take(15, 4).answer(table, T);
    put(Shards.shard(1, 4, T + 1, holds(RPM, 1)));

    MultiShardProtocol.Result result = script.finish(table, T + 2);

    assertThat(result.outcome()).isEqualTo(Outcome.ADMITTED);
    assertThat(result.taken())
        .extracting(taken -> taken.key().shard())
        .containsExactlyInAnyOrder(2, 0, 3);
    assertThat(balances().stream().mapToLong(Long::longValue).sum()).isBetween(1_000L, 1_010L);
  }

  @Test
  void take_somebodyTookTooMuchMeanwhile_isRefusedForTheWhole() {
    fill(5, 7, 6, 4);
    Script<MultiShardProtocol.Result> script = take(20, 4).answer(table, T);
    put(Shards.shard(1, 4, T + 1, holds(RPM, 1)));

    MultiShardProtocol.Result result = script.finish(table, T + 1);

    assertThat(result.outcome()).isInstanceOf(Outcome.Rejected.class);
    assertThat(rejection(result).availableMilli()).isBetween(16_000L, 16_001L);
  }

  @Test
  void take_everyTimeSomebodyIsFaster_isContended() {
    fill(5, 7, 6, 4);
    Script<MultiShardProtocol.Result> script = take(15, 4);
    for (int round = 1; round <= MultiShardProtocol.MAX_ROUNDS; round++) {
      fill(5, 7, 6, 4);
      script.answer(table, T + round);
      put(Shards.shard(1, 4, T + round, holds(RPM, 1)));
      script.answer(table, T + round);
    }

    assertThat(script.result().outcome())
        .isEqualTo(
            new Outcome.Unavailable(
                new StoreFailure(StoreFailure.Kind.CONTENDED, null), /* mayBeCharged= */ false));
  }

  @Test
  void take_shardMergedMeanwhile_readsAgainAndDoesNotTellOfIt() {
    fill(5, 7, 6, 4);
    Script<MultiShardProtocol.Result> script = take(15, 4).answer(table, T);
    remove(2);
    put(Shards.shard(0, 2, T, holds(RPM, 11)));

    MultiShardProtocol.Result result = script.finish(table, T);

    assertThat(result.outcome()).isEqualTo(Outcome.ADMITTED);
    assertThat(result.seen())
        .extracting(snapshot -> snapshot.state().key().shard())
        .containsExactly(0, 1, 3);
  }

  @Test
  void take_oneShardIsAheadMeanwhile_isOutdated() {
    fill(5, 7, 6, 4);
    Script<MultiShardProtocol.Result> script = take(15, 4).answer(table, T);
    put(at(on(RESOURCE, 6), Shards.shard(1, 4, T + 1, holds(RPM, 7))));

    assertThat(script.finish(table, T + 1).outcome())
        .isEqualTo(new Outcome.Outdated(on(RESOURCE, 6)));
  }

  @Test
  void take_answerLostOnce_isAdmittedOnce() {
    fill(5, 7, 6, 4);
    Script<MultiShardProtocol.Result> script = take(15, 4).answer(table, T);
    table.execute(script.call());

    MultiShardProtocol.Result result = script.answer(UNKNOWN, T).finish(table, T);

    assertThat(result.outcome()).isEqualTo(Outcome.ADMITTED);
    assertThat(balances()).containsExactly(3_000L, 0L, 0L, 4_000L);
  }

  /** What the shards hold that it tried to take from is not known any more. */
  @Test
  void take_answerLostEveryTime_mayBeChargedAndIsNotReliedOn() {
    fill(5, 7, 6, 4);
    Script<MultiShardProtocol.Result> script = take(15, 4).answer(table, T);
    for (int i = 0; i <= TransactionProtocol.MAX_RESENDS; i++) {
      script.answer(UNKNOWN, T);
    }

    MultiShardProtocol.Result result = script.result();
    assertThat(result.outcome()).isEqualTo(new Outcome.Unavailable(LOST, /* mayBeCharged= */ true));
    assertThat(result.taken()).isEmpty();
    assertThat(result.seen())
        .extracting(snapshot -> snapshot.state().key().shard())
        .containsExactly(3);
  }

  @Test
  void take_throttled_isUnavailableAndNotCharged() {
    fill(5, 7, 6, 4);

    MultiShardProtocol.Result result = take(15, 4).answer(table, T).answer(THROTTLED, T).result();

    assertThat(result.outcome())
        .isEqualTo(new Outcome.Unavailable(SLOW_DOWN, /* mayBeCharged= */ false));
    assertThat(result.seen()).hasSize(4);
  }

  private void fill(long... tokens) {
    for (int shard = 0; shard < tokens.length; shard++) {
      put(shard(shard, tokens[shard]));
    }
  }

  private static BucketState shard(int shard, long tokens) {
    return Shards.shard(shard, 4, T, holds(RPM, tokens));
  }

  /** Puts a shard that follows the fifth version, unless it follows a later one. */
  private void put(BucketState state) {
    table.put(state.stamp().equals(ConfigStamp.CALL) ? at(on(RESOURCE, 5), state) : state);
  }

  private void remove(int shard) {
    BucketKey key = KEY.withShard(shard);
    String op = Objects.requireNonNull(table.get(key)).op();
    table.execute(
        new StoreCall.Transaction(
            List.of(new WritePlan.Remove(key, op, "op-gone")), List.of(), "gone"));
  }

  private List<Long> balances() {
    return table.shards(KEY).stream().map(state -> Shards.tokensMilli(state, "rpm")).toList();
  }

  private static LimitStatus rejection(MultiShardProtocol.Result result) {
    return ((Outcome.Rejected) result.outcome()).rejection().statuses().get(0);
  }

  private static Script<MultiShardProtocol.Result> take(long tokens, int maxShards) {
    return begin(FIVE, tokens, /* fresh= */ true, maxShards, /* believed= */ 4);
  }

  private static Script<MultiShardProtocol.Result> begin(
      EffectiveLimits terms, long tokens, boolean fresh, int maxShards, int believed) {
    MultiShardProtocol commit =
        new MultiShardProtocol(
            KEY.withShard(2),
            terms,
            tokens(terms.limits(), tokens),
            fresh,
            maxShards,
            PlanSettings.DEFAULT,
            ops());
    return Script.of(commit.start(believed));
  }
}
