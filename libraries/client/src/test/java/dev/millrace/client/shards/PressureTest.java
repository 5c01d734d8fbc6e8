package dev.millrace.client.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.Rejection;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Shards that the store throttles, that others write, and that are asked for more than there is.
 */
class PressureTest {
  private static final Limit RPS = Limit.perSecond("rps", 1_000);
  private final ShardBench bench = new ShardBench();

  private Caller divided(Style style, int count) {
    Caller caller = bench.caller(style);
    caller.acquire(ShardBench.rpd(1)).cancel();
    bench.resize(count);
    bench.settle(caller, count);
    bench.advance(1_000);
    return caller;
  }

  private int count() {
    return Objects.requireNonNull(bench.memory.snapshot(ShardBench.KEY)).shardCount();
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_throttledOnEveryShard_failsAndIsNotRefused(Style style) {
    try (Caller caller = divided(style, 4)) {
      bench.faults.always(Calls.writes().or(Calls.transactions()), Fault.hotKey());
      assertThatThrownBy(() -> caller.tryAcquire(ShardBench.rpd(1)))
          .isInstanceOfSatisfying(
              LimiterUnavailableException.class,
              e -> assertThat(e.attributes()).containsEntry("failure", StoreFailure.Kind.HOT_KEY));
      assertThat(caller.metrics().refused()).isZero();
      assertThat(caller.metrics().wide()).isZero();
      assertThat(caller.metrics().leftElsewhere()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_othersInTheWayOfSeveralShards_isRefusedAndWaitsLongerEachTime(Style style) {
    try (Caller caller = divided(style, 8)) {
      bench.faults.always(Calls.transactions(), Fault.conflict());
      int lastPauseMs = 2_000;
      for (int pauseMs = 20; pauseMs <= 2 * lastPauseMs; pauseMs *= 2) {
        int waitedMs = Math.min(pauseMs, lastPauseMs);
        assertThat(caller.tryAcquire(ShardBench.rpd(500)).rejection())
            .as("others are in the way, and it is no outage")
            .isPresent();
        int before = bench.calls.roundTrips(Calls.transactions());
        bench.advance(waitedMs - 1);
        assertThat(caller.tryAcquire(ShardBench.rpd(500)).rejection()).isPresent();
        assertThat(bench.calls.roundTrips(Calls.transactions()))
            .as("%d ms have not passed", waitedMs)
            .isEqualTo(before);
        bench.advance(1);
      }
      bench.faults.heal();
      caller.acquire(ShardBench.rpd(500)).close();
      caller.acquire(ShardBench.rpd(400)).close();
      assertThat(bench.consumedMilli()).isEqualTo(900_000);
      assertThat(caller.metrics().blocked()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_oneShardIsShortAndOthersAreInTheWay_isRefused(Style style) {
    try (Caller caller = divided(style, 4)) {
      caller.acquire(ShardBench.rpd(750)).close(); // all that three of them have
    }
    int rich =
        bench.shards().stream()
            .filter(shard -> ShardBench.rpd(shard).tokensMilli() > 200_000)
            .map(shard -> shard.key().shard())
            .reduce((one, other) -> -1)
            .orElseThrow();
    bench.faults.always(
        call -> call instanceof StoreCall.Write write && write.key().shard() == rich,
        Fault.conflict());
    bench.faults.always(Calls.transactions(), Fault.conflict());
    for (int i = 0; i < 20; i++) {
      try (Caller fresh = bench.caller(style, bench.options().mirrorAge(Duration.ofSeconds(1)))) {
        fresh.timeUntilAvailable(ShardBench.rpd(1_000)); // learns how many there are
        bench.advance(1_100); // and may believe nothing of it any more
        assertThat(fresh.tryAcquire(ShardBench.rpd(2)).rejection()).isPresent();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_oneShardIsAlwaysInATransaction_isServedByTheOthers(Style style) {
    try (Caller caller = divided(style, 4)) {
      bench.faults.always(
          call -> call instanceof StoreCall.Write write && write.key().shard() == 1,
          Fault.conflict());
      for (int i = 0; i < 40; i++) {
        caller.acquire(ShardBench.rpd(1)).close();
      }
      assertThat(bench.consumedMilli()).isEqualTo(40_000);
      BucketState busy = Objects.requireNonNull(bench.shard(ShardBench.KEY, 1));
      assertThat(ShardBench.rpd(busy).consumedMilli()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_splitThrottledAndInConflict_isTriedUntilItIsMade(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(ShardBench.rpd(1)).close();
      bench.resize(2);
      caller.acquire(ShardBench.rpd(1)).close(); // learns of it
      for (int i = 0; i < 5; i++) {
        bench.faults.once(Calls.transactions(), Fault.hotKey());
        bench.faults.once(Calls.transactions(), Fault.conflict());
      }

      caller.acquire(ShardBench.rpd(1)).close();

      assertThat(bench.faults.rulesLeft()).isZero();
      assertThat(bench.shards()).hasSize(2);
      assertThat(caller.metrics().splits()).isEqualTo(1);
      bench.requireWhole();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_whileItsShardIsSplit_waitsForItAndIsNotInTheWay(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(ShardBench.rpd(1)).close();
      bench.resize(2);
      caller.acquire(ShardBench.rpd(1)).close(); // learns of it
      Gate gate = new Gate();
      bench.faults.once(Calls.transactions(), Fault.holdRequest(gate));
      int written = bench.calls.roundTrips(Calls.writes());

      CompletableFuture<Lease> first = caller.begin(ShardBench.rpd(1));
      CompletableFuture<Lease> second = caller.begin(ShardBench.rpd(1));

      assertThat(bench.calls.roundTrips(Calls.writes())).isEqualTo(written);
      assertThat(first).isNotDone();
      assertThat(second).isNotDone();
      gate.open();
      Await.result(first).close();
      Await.result(second).close();
      assertThat(caller.metrics().splits()).isEqualTo(1);
      assertThat(bench.shards()).hasSize(2);
      assertThat(bench.consumedMilli()).isEqualTo(4_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_throttledWhileOthersQueue_sharesWritesBeforeItDivides(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(ShardBench.rpd(1)).close();
      Gate gate = new Gate();
      bench.faults.once(Calls.writes(), Fault.holdReply(gate));
      bench.faults.once(Calls.writes(), Fault.hotKey());
      CompletableFuture<Lease> first = caller.begin(ShardBench.rpd(1));
      CompletableFuture<Lease> second = caller.begin(ShardBench.rpd(1));
      CompletableFuture<Lease> third = caller.begin(ShardBench.rpd(1));

      gate.open();
      Await.result(first).close();
      Await.until(
          () -> {
            bench.advance(1); // the next write waits for more
            return second.isDone() && third.isDone();
          },
          "both are served");

      Await.result(second).close();
      Await.result(third).close();
      assertThat(caller.metrics().blocked()).isZero();
      assertThat(count()).isEqualTo(1);
      assertThat(bench.consumedMilli()).isEqualTo(4_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_throttledJustAfterADoubling_doublesAgainOnlyIfItGoesOn(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(ShardBench.rpd(1)).close();
      bench.faults.once(Calls.writes(), Fault.hotKey());
      caller.acquire(ShardBench.rpd(1)).close();
      assertThat(count()).isEqualTo(2);
      bench.settle(caller, 2);

      bench.faults.once(Calls.writes(), Fault.hotKey());
      caller.acquire(ShardBench.rpd(1)).close();
      bench.advance(1_000);
      caller.acquire(ShardBench.rpd(1)).close();
      assertThat(count()).as("it takes a while to help").isEqualTo(2);

      bench.faults.once(Calls.writes(), Fault.hotKey());
      caller.acquire(ShardBench.rpd(1)).close();
      caller.acquire(ShardBench.rpd(1)).close();
      assertThat(count()).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_piecesOfATokenInEveryShard_isRefusedForNothingUntilOneHoldsIt(Style style) {
    int shards = 16;
    try (Caller caller = bench.caller(style, bench.options().partitionWriteUnits(1_000))) {
      caller.acquire(rps(1)).cancel();
      bench.resize(shards);
      for (int i = 0; bench.shards().size() < shards && i < 1_000; i++) {
        bench.advance(60);
        caller.acquire(rps(1)).cancel();
      }
      bench.advance(2_000);
      caller.acquire(rps(1_000)).close();
      bench.advance(14); // 14 tokens in 16 pieces
      int before = bench.calls.roundTrips(call -> true);
      long wide = caller.metrics().wide();

      Rejection rejection = caller.tryAcquire(rps(1)).rejection().orElseThrow();

      assertThat(bench.calls.roundTrips(call -> true)).isEqualTo(before);
      assertThat(rejection.statuses().get(0).available()).isEqualTo(14);
      assertThat(rejection.retryAfterMs()).isBetween(1L, 3L);
      assertThat(caller.metrics().leftElsewhere()).isEqualTo(1);
      bench.advance(rejection.retryAfterMs());
      assertThat(caller.tryAcquire(rps(1)).isGranted()).isTrue();
      assertThat(caller.metrics().wide()).isEqualTo(wide);
    }
  }

  private static AcquireRequest rps(long amount) {
    return AcquireRequest.of("hot", "gpt-4").limits(RPS).consume("rps", amount);
  }
}
