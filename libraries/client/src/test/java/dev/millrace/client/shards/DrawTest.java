package dev.millrace.client.shards;

import static dev.millrace.client.shards.ShardBench.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Availability;
import dev.millrace.BucketKey;
import dev.millrace.Consistency;
import dev.millrace.Lease;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.OnUnavailable;
import dev.millrace.Rejection;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Buckets that are divided: what their callers see, and what is written where. */
class DrawTest {
  private final ShardBench bench = new ShardBench();

  /** A limiter of a bucket that is divided by hand; what it is written does not matter here. */
  private Caller divided(Style style, int count) {
    Caller caller = caller(style);
    caller.acquire(ShardBench.rpd(1)).cancel();
    bench.resize(count);
    bench.settle(caller, count);
    bench.advance(1_000);
    assertThat(bench.shards()).hasSize(count);
    return caller;
  }

  private Caller caller(Style style) {
    return bench.caller(style, bench.options().partitionWriteUnits(1_000_000));
  }

  private Map<Integer, Long> consumed() {
    Map<Integer, Long> consumed = new TreeMap<>();
    for (BucketState shard : bench.shards()) {
      consumed.put(shard.key().shard(), ShardBench.rpd(shard).consumedMilli());
    }
    return consumed;
  }

  @ParameterizedTest
  @EnumSource
  void acquire_many_drawsOnAllShards(Style style) {
    try (Caller caller = divided(style, 8)) {
      for (int i = 0; i < 200; i++) {
        caller.acquire(ShardBench.rpd(1)).close();
      }
      assertThat(consumed().values()).allMatch(milli -> milli > 5_000);
      assertThat(bench.consumedMilli()).isEqualTo(200_000);
      bench.requireWhole();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_everything_isAdmittedToTheLastTokenAndNoMore(Style style) {
    try (Caller caller = divided(style, 16)) {
      int admitted = 0;
      for (int i = 0; i < 1_100; i++) {
        admitted += caller.tryAcquire(ShardBench.rpd(1)).isGranted() ? 1 : 0;
      }
      assertThat(admitted).isEqualTo(1_000);
      assertThat(bench.consumedMilli()).isEqualTo(1_000_000);
      assertThat(caller.metrics().wide()).as("what was left in pieces").isPositive();
      assertThat(caller.metrics().leftElsewhere()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_refused_tellsTheWholeBucketAndWhenItWillDo(Style style) {
    try (Caller caller = divided(style, 4)) {
      caller.acquire(ShardBench.rpd(990)).close();

      Rejection rejection = caller.tryAcquire(ShardBench.rpd(20)).rejection().orElseThrow();

      assertThat(rejection.statuses()).hasSize(1);
      LimitStatus status = rejection.statuses().get(0);
      assertThat(status.name()).isEqualTo("rpd");
      assertThat(status.limit()).isEqualTo(ShardBench.RPD);
      assertThat(status.availableMilli()).isBetween(9_990L, 10_010L);
      bench.advance(status.retryAfterMs() - 1);
      assertThat(caller.tryAcquire(ShardBench.rpd(20)).isGranted()).isFalse();
      bench.advance(1);
      assertThat(caller.tryAcquire(ShardBench.rpd(20)).isGranted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_knownToBeEmpty_isRefusedForNothing(Style style) {
    try (Caller caller = divided(style, 8)) {
      caller.acquire(ShardBench.rpd(1_000)).close();
      assertThat(caller.tryAcquire(ShardBench.rpd(1)).isGranted()).isFalse();
      int before = bench.calls.roundTrips(call -> true);
      for (int i = 0; i < 50; i++) {
        assertThat(caller.tryAcquire(ShardBench.rpd(1)).isGranted()).isFalse();
      }
      assertThat(bench.calls.roundTrips(call -> true)).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource
  void lease_adjustedOrCancelled_writesTheShardThatWasDrawn(Style style) {
    try (Caller caller = divided(style, 8)) {
      for (int i = 0; i < 40; i++) {
        Map<Integer, Long> before = consumed();
        Lease lease = caller.acquire(ShardBench.rpd(3));
        int drawn = changed(before, consumed()).get(0);
        if (i % 2 == 0) {
          lease.adjust("rpd", 2);
          lease.close();
          before.merge(drawn, 5_000L, Long::sum);
        } else {
          lease.cancel();
        }
        assertThat(consumed()).isEqualTo(before);
      }
    }
  }

  private static List<Integer> changed(Map<Integer, Long> before, Map<Integer, Long> after) {
    List<Integer> changed = new ArrayList<>();
    after.forEach(
        (shard, milli) -> {
          if (!milli.equals(before.get(shard))) {
            changed.add(shard);
          }
        });
    return changed;
  }

  @ParameterizedTest
  @EnumSource
  void lease_openWhileItsShardIsMerged_isSettledInTheShardThatTookOver(Style style) {
    try (Caller caller = divided(style, 8)) {
      List<Lease> leases = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        leases.add(caller.acquire(ShardBench.rpd(2)));
      }
      bench.resize(1);
      bench.settle(caller, 1);
      assertThat(bench.shards()).hasSize(1);
      for (int i = 0; i < leases.size(); i++) {
        if (i % 2 == 0) {
          leases.get(i).cancel();
        } else {
          leases.get(i).adjust("rpd", 1);
          leases.get(i).close();
        }
      }
      assertThat(bench.consumedMilli()).isEqualTo(30 * 3_000);
      assertThat(bench.shards()).as("none is made anew").hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_moreThanAShare_isTakenFromSeveralAndGivenBackToEach(Style style) {
    try (Caller caller = divided(style, 16)) {
      Map<Integer, Long> before = consumed();

      Lease lease = caller.acquire(ShardBench.rpd(500));

      assertThat(lease.consumed("rpd")).isEqualTo(500);
      assertThat(changed(before, consumed())).hasSizeGreaterThanOrEqualTo(8);
      assertThat(bench.consumedMilli()).isEqualTo(500_000);
      assertThat(caller.metrics().wide()).isEqualTo(1);
      lease.adjust("rpd", -100);
      lease.close();
      assertThat(bench.consumedMilli()).isEqualTo(400_000);

      Lease other = caller.acquire(ShardBench.rpd(600));
      assertThat(caller.tryAcquire(ShardBench.rpd(1)).isGranted()).isFalse();
      other.cancel();
      assertThat(bench.consumedMilli()).isEqualTo(400_000);
      bench.requireWhole();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_moreThanAShareAndNotAllowed_isRefusedAndTold(Style style) {
    divided(style, 16).close();
    try (Caller caller =
        bench.caller(style, bench.options().sharding(ShardBench.SHARDING.withWide(16, 0)))) {
      assertThat(caller.available("hot", "gpt-4", ShardBench.RPD).statuses()).hasSize(1);
      assertThat(caller.tryAcquire(ShardBench.rpd(500)).isGranted()).isFalse();
      assertThat(caller.metrics().leftElsewhere()).isEqualTo(1);
      assertThat(bench.consumedMilli()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void available_divided_isThatOfTheWholeBucket(Style style) {
    try (Caller caller = divided(style, 8)) {
      caller.acquire(ShardBench.rpd(300)).close();

      Availability availability = caller.available("hot", "gpt-4", ShardBench.RPD);

      assertThat(availability.statuses()).hasSize(1);
      assertThat(availability.statuses().get(0).available()).isEqualTo(700);
      assertThat(caller.timeUntilAvailable(ShardBench.rpd(700))).contains(Duration.ZERO);
      assertThat(caller.timeUntilAvailable(ShardBench.rpd(701)).orElseThrow().toMillis())
          .as("of a limit of one in 86.4 seconds, the shards that are full earn nothing")
          .isBetween(86_000L, 8 * 86_400L);
      assertThat(caller.timeUntilAvailable(ShardBench.rpd(1_001))).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_countIsOutOfDate_healsItself(Style style) {
    try (Caller stale = caller(style);
        Caller other = caller(style)) {
      stale.acquire(ShardBench.rpd(1)).close();
      bench.resize(8);
      bench.settle(other, 8);
      for (int i = 0; i < 100; i++) {
        stale.acquire(ShardBench.rpd(1)).close();
      }
      assertThat(consumed().values()).as("it draws on all by now").allMatch(milli -> milli > 0);

      bench.resize(2);
      bench.settle(other, 2);
      for (int i = 0; i < 100; i++) {
        stale.acquire(ShardBench.rpd(1)).close();
      }
      assertThat(bench.shards()).as("it splits nothing that was merged").hasSize(2);
      assertThat(bench.consumedMilli()).isEqualTo(201_000);
      bench.requireWhole();
    }
  }

  /** Coming again would charge twice what may be charged already, and nobody would be told. */
  @ParameterizedTest
  @EnumSource
  void tryAcquire_refusedByOneShardWhileAnotherBucketIsInDoubt_doesNotComeAgain(Style style) {
    BucketKey image = BucketKey.first("default", KEY.entityId(), "image");
    AcquireRequest both =
        AcquireRequest.of(KEY.entityId(), "image")
            .limits(ShardBench.RPD)
            .consume("rpd", 1)
            .and(KEY.resource(), LimitSet.of(ShardBench.RPD), Map.of("rpd", 300L))
            .onUnavailable(OnUnavailable.BLOCK);
    try (Caller caller = caller(style)) {
      caller.acquire(both).close(); // to it neither bucket is divided
      try (Caller other = caller(style)) {
        bench.resize(8);
        bench.settle(other, 8);
      }
      bench
          .faults
          .once(call -> call.writes() && call.toString().contains("/image#"), Fault.loseReply())
          .once(
              call -> call instanceof StoreCall.Read r && r.key().equals(image),
              Fault.unreachable());

      assertThat(caller.tryAcquire(both).isGranted()).isFalse();

      assertThat(bench.faults.rulesLeft()).isZero();
      assertThat(
              ShardBench.rpd(Objects.requireNonNull(bench.memory.snapshot(image))).consumedMilli())
          .isEqualTo(2_000);
    }
  }

  /** What was seen may be forgotten while another bucket is given back. */
  @ParameterizedTest
  @EnumSource
  void tryAcquire_shardsForgottenBeforeTheRefusal_tellsOfAllOfThem(Style style) {
    AcquireRequest both =
        AcquireRequest.of(KEY.entityId(), "image")
            .limits(ShardBench.RPD)
            .consume("rpd", 1)
            .and(KEY.resource(), LimitSet.of(ShardBench.RPD), Map.of("rpd", 200L));
    try (Caller divider = divided(style, 2);
        Caller caller =
            bench.caller(
                style,
                bench.options().partitionWriteUnits(1_000_000).mirrorAge(Duration.ofSeconds(1)))) {
      divider.acquire(ShardBench.rpd(900)).close();
      assertThat(caller.tryAcquire(ShardBench.rpd(200)).isGranted()).isFalse(); // sees both
      bench.faults.once(
          Calls.writes(WritePlan.Adjust.class), Fault.before(() -> bench.advance(1_100)));

      Rejection rejection = caller.tryAcquire(both).rejection().orElseThrow();

      assertThat(bench.faults.rulesLeft()).isZero();
      assertThat(rejection.statuses())
          .filteredOn(status -> status.resource().equals(KEY.resource()))
          .singleElement()
          .extracting(LimitStatus::availableMilli)
          .satisfies(milli -> assertThat(milli).isBetween(99_000L, 101_000L));
    }
  }

  /** What is not split yet is no more than one shard to take from. */
  @ParameterizedTest
  @EnumSource
  void tryAcquire_moreThanAShareOfWhatIsNotSplitYet_isTakenFromTheOneThatHoldsIt(Style style) {
    try (Caller caller =
        bench.caller(style, bench.options().sharding(ShardBench.SHARDING.withWide(16, 0)))) {
      caller.acquire(ShardBench.rpd(1)).close();
      bench.resize(16);
      caller.acquire(ShardBench.rpd(1)).close(); // learns of it
      assertThat(bench.shards()).hasSize(1);

      assertThat(caller.tryAcquire(ShardBench.rpd(500)).isGranted()).isTrue();

      assertThat(bench.consumedMilli()).isEqualTo(502_000);
    }
  }

  /** The shards of one bucket refuse before the other one, long forgotten, is looked at. */
  @ParameterizedTest
  @EnumSource
  void tryAcquire_transactionalAndRefusedByTheShards_tellsOfAForgottenBucket(Style style) {
    AcquireRequest image =
        AcquireRequest.of(KEY.entityId(), "image").limits(ShardBench.RPD).consume("rpd", 7);
    AcquireRequest both =
        AcquireRequest.of(KEY.entityId(), KEY.resource())
            .limits(ShardBench.RPD)
            .consume("rpd", 200)
            .and("image", LimitSet.of(ShardBench.RPD), Map.of("rpd", 1L))
            .consistency(Consistency.TRANSACTIONAL);
    try (Caller divider = divided(style, 8)) {
      divider.acquire(ShardBench.rpd(900)).close();
    }
    try (Caller caller = bench.caller(style, bench.options().mirrorAge(Duration.ofSeconds(1)))) {
      caller.acquire(image).close();
      bench.advance(1_100);
      assertThat(caller.tryAcquire(ShardBench.rpd(200)).isGranted()).isFalse(); // sees the shards

      Rejection rejection = caller.tryAcquire(both).rejection().orElseThrow();

      assertThat(rejection.statuses())
          .filteredOn(status -> status.resource().equals("image"))
          .singleElement()
          .extracting(LimitStatus::available)
          .isEqualTo(993L);
    }
  }
}
