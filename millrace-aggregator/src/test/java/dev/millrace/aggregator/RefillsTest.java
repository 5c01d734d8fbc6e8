package dev.millrace.aggregator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.Division;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.bucket.WriteUnits;
import dev.millrace.core.config.Standing;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.plan.PlanSettings;
import dev.millrace.core.plan.Planner;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.store.BlockingStore;
import dev.millrace.core.store.Receipt;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.InMemoryUsageStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Buckets are credited with what they have earned, and with nothing else. */
class RefillsTest {
  private static final Duration WINDOW = Duration.ofMillis(80);
  private static final Limit RPM = Limit.perSecond("rpm", 100);
  private static final Limit TPM = Limit.perSecond("tpm", 4_000);
  private static final long AT_MS = Recorded.AT_MS;
  private static final BucketKey KEY = key("shared");

  private final InMemoryStore store = new InMemoryStore();
  private final InMemoryUsageStore usage = new InMemoryUsageStore();
  private final List<StoreCall> calls = new ArrayList<>();
  private final List<BucketKey> refilled = new ArrayList<>();
  private final List<StoreFailure> failures = new ArrayList<>();
  private long nowMs = AT_MS + 250;
  private int number;

  private final Aggregator aggregator =
      aggregator(store, new RefillSettings(PlanSettings.DEFAULT, WINDOW, WINDOW, 2, 100));

  private Aggregator aggregator(BlockingStore buckets, RefillSettings settings) {
    return Aggregator.builder(usage, letters -> {})
        .clock(() -> nowMs)
        .refill(
            (call, timeoutMs) -> {
              calls.add(call);
              return buckets.execute(call, timeoutMs);
            },
            settings)
        .listener(
            new AggregatorListener() {
              @Override
              public void onRefilled(BucketKey key) {
                refilled.add(key);
              }

              @Override
              public void onRefillFailed(BucketKey key, StoreFailure failure) {
                failures.add(failure);
              }
            })
        .build();
  }

  private static BucketKey key(String entity) {
    return BucketKey.first("default", entity, "gpt-4");
  }

  /** A bucket claimed at {@link #AT_MS} that holds so much of each limit. */
  private static BucketState bucket(BucketKey key, Division division, long rpm, long tpm) {
    return new BucketState(
        key,
        AT_MS,
        List.of(new LimitState(RPM, rpm, 70_000), new LimitState(TPM, tpm, 900_000)),
        division,
        WriteUnits.DYNAMODB.fullMilli() / 2,
        BucketState.NEVER,
        "op",
        Standing.CALL);
  }

  private BucketState given(BucketState state) {
    store.execute(new StoreCall.Write(new WritePlan.Create(state)), 1);
    return state;
  }

  private BucketState stored(BucketKey key) {
    return Objects.requireNonNull(store.snapshot(key));
  }

  /** The record of a write that has consumed one token and left {@code state}. */
  private StreamRecord consumed(BucketState state) {
    number++;
    return Images.record(Integer.toString(number), AT_MS, withLessConsumed(state), state);
  }

  private static BucketState withLessConsumed(BucketState state) {
    List<LimitState> before =
        state.limits().stream()
            .map(l -> new LimitState(l.limit(), l.tokensMilli() + 1_000, l.consumedMilli() - 1_000))
            .toList();
    return new BucketState(
        state.key(),
        state.refilledAtMs(),
        before,
        state.division(),
        state.wcuMilli(),
        state.expiresAtSeconds(),
        "before",
        state.standing());
  }

  @Test
  void process_claimTooOld_creditsEveryLimitAndConsumesNothing() {
    BucketState before = given(bucket(KEY, Division.NONE, -5_000, 1_000));
    aggregator.process(List.of(consumed(before)));

    BucketState after = stored(KEY);
    assertThat(after.refilledAtMs()).isEqualTo(AT_MS + 250);
    // A quarter of a second of 100 and of 4,000 a second.
    assertThat(after.limits())
        .containsExactly(
            new LimitState(RPM, -5_000 + 25_000, 70_000),
            new LimitState(TPM, 1_000 + 1_000_000, 900_000));
    assertThat(refilled).containsExactly(KEY);
    assertThat(failures).isEmpty();
  }

  @Test
  void process_claimLongAgo_creditsUpToTheCeiling() {
    BucketState before = given(bucket(KEY, Division.NONE, 99_999, 0));
    nowMs = AT_MS + 60_000;
    aggregator.process(List.of(consumed(before)));
    assertThat(stored(KEY).limits())
        .extracting(LimitState::tokensMilli)
        .containsExactly(100_000L, 4_000_000L);
  }

  @Test
  void process_shardOfFour_creditsItsShareOnly() {
    BucketKey shard = KEY.withShard(3);
    BucketState before = given(bucket(shard, Division.of(4, 4), 0, 0));
    aggregator.process(List.of(consumed(before)));
    assertThat(stored(shard).limits())
        .extracting(LimitState::tokensMilli)
        .containsExactly(6_250L, 250_000L);
    nowMs += 60_000;
    aggregator.process(List.of(consumed(before)));
    assertThat(stored(shard).limits())
        .extracting(LimitState::tokensMilli)
        .containsExactly(25_000L, 1_000_000L);
  }

  /** Else the bucket would look as if it were written too hard, and be divided. */
  @Test
  void process_refilled_returnsWhatThePartitionHasEarned() {
    BucketState before = given(bucket(KEY, Division.NONE, 0, 0));
    aggregator.process(List.of(consumed(before)));
    long earned = WriteUnits.DYNAMODB.creditMilli(before.wcuMilli(), AT_MS, AT_MS + 250);
    assertThat(earned).isPositive();
    assertThat(stored(KEY).wcuMilli())
        .isEqualTo(before.wcuMilli() + earned + WriteUnits.costMilli(1));
  }

  /** What follows from a refill is nothing to usage and no reason for another. */
  @Test
  void process_recordOfTheRefillItself_isIgnored() {
    BucketState before = given(bucket(KEY, Division.NONE, 0, 0));
    aggregator.process(List.of(consumed(before)));
    long counted = counted();
    calls.clear();
    nowMs += 10_000;
    StreamRecord own = Images.record("99", AT_MS, before, stored(KEY));
    BatchResult result = aggregator.process(List.of(own));
    assertThat(result).isEqualTo(new BatchResult(1, 0, 0, 1, 0, 0, null, null));
    assertThat(calls).isEmpty();
    assertThat(counted()).isEqualTo(counted).isPositive();
  }

  private long counted() {
    return usage.all().stream().mapToLong(item -> item.milli("rpm")).sum();
  }

  @Test
  void process_claimedJustNow_isLeftAlone() {
    BucketState before = given(bucket(KEY, Division.NONE, 0, 0));
    nowMs = AT_MS + 80;
    aggregator.process(List.of(consumed(before)));
    assertThat(calls).isEmpty();
    nowMs++;
    aggregator.process(List.of(consumed(before)));
    assertThat(refilled).hasSize(1);
  }

  /** The last record of a shard tells how it is, not those before it. */
  @Test
  void process_claimedByALaterRecord_isLeftAlone() {
    BucketState old = bucket(KEY, Division.NONE, 0, 0);
    nowMs = AT_MS + 250;
    BucketState claimed = claimedAt(old, nowMs - 10);
    aggregator.process(List.of(consumed(old), consumed(claimed)));
    assertThat(calls).isEmpty();
  }

  @Test
  void process_claimedSinceTheRecord_isReadAndNotWritten() {
    BucketState old = bucket(KEY, Division.NONE, 0, 0);
    given(claimedAt(old, nowMs - 10));
    aggregator.process(List.of(consumed(old)));
    assertThat(calls).hasSize(1).allMatch(StoreCall.Read.class::isInstance);
    assertThat(stored(KEY).refilledAtMs()).isEqualTo(nowMs - 10);
  }

  private static BucketState claimedAt(BucketState state, long ms) {
    return new BucketState(
        state.key(),
        ms,
        state.limits(),
        state.division(),
        state.wcuMilli(),
        state.expiresAtSeconds(),
        "later",
        state.standing());
  }

  /** Between the read and the write somebody else claims: its claim stands, ours does not. */
  @Test
  void process_refused_isLeftToWhoWasFaster() {
    BucketState before = given(bucket(KEY, Division.NONE, 0, 0));
    Aggregator late =
        aggregator(
            (call, timeoutMs) -> {
              StoreReply reply = store.execute(call, timeoutMs);
              if (call instanceof StoreCall.Read) {
                store.execute(
                    new StoreCall.Write(
                        Planner.topUp(
                            before, Map.of(), AT_MS + 200, PlanSettings.DEFAULT, "other")),
                    timeoutMs);
              }
              return reply;
            },
            RefillSettings.defaults());
    late.process(List.of(consumed(before)));
    assertThat(calls).hasSize(2);
    assertThat(stored(KEY).op()).isEqualTo("other");
    assertThat(stored(KEY).find("rpm")).isEqualTo(new LimitState(RPM, 20_000, 70_000));
    assertThat(refilled).isEmpty();
    assertThat(failures).isEmpty();
  }

  @Test
  void process_manyShards_refillsAFewABatch() {
    List<StreamRecord> records = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      records.add(consumed(given(bucket(key("shared-" + i), Division.NONE, 0, 0))));
    }
    aggregator.process(records);
    assertThat(refilled).containsExactly(key("shared-0"), key("shared-1"));
  }

  @Test
  void process_triedJustNow_isGivenAPause() {
    BucketState before = given(bucket(KEY, Division.NONE, 0, 0));
    aggregator.process(List.of(consumed(before)));
    calls.clear();
    nowMs += WINDOW.toMillis() - 1;
    aggregator.process(List.of(consumed(before)));
    assertThat(calls).isEmpty();
    nowMs++;
    aggregator.process(List.of(consumed(before)));
    assertThat(calls).isNotEmpty();
  }

  /** Who is forgotten may be tried too early; that is all it costs. */
  @Test
  void process_moreShardsThanRemembered_forgetsTheOldest() {
    Aggregator forgetful =
        aggregator(
            store, new RefillSettings(PlanSettings.DEFAULT, WINDOW, Duration.ofSeconds(60), 16, 1));
    BucketState first = given(bucket(KEY, Division.NONE, 0, 0));
    BucketState second = given(bucket(key("second"), Division.NONE, 0, 0));
    forgetful.process(List.of(consumed(first)));
    nowMs += 1_000;
    forgetful.process(List.of(consumed(first)));
    assertThat(refilled).containsExactly(KEY);
    forgetful.process(List.of(consumed(second)));
    forgetful.process(List.of(consumed(first)));
    assertThat(refilled).containsExactly(KEY, key("second"), KEY);
  }

  @Test
  void process_oldNewsOrNoBucket_changesNothing() {
    BucketState state = bucket(KEY, Division.NONE, 0, 0);
    aggregator.process(List.of(consumed(state)));
    assertThat(calls).as("it is gone").hasSize(1);
    given(state);
    nowMs += Duration.ofHours(1).toMillis();
    aggregator.process(List.of(consumed(state)));
    assertThat(calls).hasSize(1);
    assertThat(failures).isEmpty();
  }

  /** A process whose clock is ahead must not claim what is yet to come. */
  @Test
  void process_clockAhead_claimsNoFurtherThanTheStoresClock() {
    BucketState before = given(bucket(KEY, Division.NONE, 0, 0));
    nowMs = AT_MS + 30_000;
    Aggregator ahead =
        aggregator(
            (call, timeoutMs) ->
                call instanceof StoreCall.Read
                    ? new StoreReply.Found(before, new Receipt(1, 0, 0, AT_MS))
                    : store.execute(call, timeoutMs),
            RefillSettings.defaults());
    ahead.process(List.of(consumed(before)));
    assertThat(stored(KEY).refilledAtMs()).isEqualTo(AT_MS + 1_000);
  }

  @Test
  void process_bucketsAway_countsUsageAllTheSame() {
    StoreFailure throttled = new StoreFailure(StoreFailure.Kind.THROTTLED, null);
    BlockingStore away =
        (call, timeoutMs) -> {
          if (call instanceof StoreCall.Read) {
            return new StoreReply.NotApplied(throttled, Receipt.NONE);
          }
          throw new IllegalStateException("no table");
        };
    BlockingStore readOnly =
        (call, timeoutMs) ->
            call instanceof StoreCall.Read
                ? store.execute(call, timeoutMs)
                : away.execute(call, timeoutMs);
    BucketState before = given(bucket(KEY, Division.NONE, 0, 0));
    for (BlockingStore broken : List.of(away, readOnly)) {
      BatchResult result =
          aggregator(broken, RefillSettings.defaults()).process(List.of(consumed(before)));
      assertThat(result.isDone()).isTrue();
      assertThat(result.applied()).isEqualTo(1);
    }
    assertThat(failures)
        .extracting(StoreFailure::kind)
        .containsExactly(StoreFailure.Kind.THROTTLED, StoreFailure.Kind.BROKEN);
    assertThat(stored(KEY)).isEqualTo(before);
  }

  @Test
  void settings_outOfRange_areRefused() {
    assertThatThrownBy(() -> new RefillSettings(PlanSettings.DEFAULT, Duration.ZERO, WINDOW, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RefillSettings(PlanSettings.DEFAULT, WINDOW, WINDOW, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(RefillSettings.defaults().after()).isEqualTo(WINDOW);
  }
}
