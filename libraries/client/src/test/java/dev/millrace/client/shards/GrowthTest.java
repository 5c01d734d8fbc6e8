package dev.millrace.client.shards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When buckets are divided, and when they are folded back. */
class GrowthTest {
  @ParameterizedTest
  @EnumSource
  void acquire_writtenHarderThanAPartitionBears_divides(Style style) {
    ShardBench bench = new ShardBench();
    try (Caller caller = bench.caller(style)) {
      for (int i = 0; i < 60; i++) {
        caller.acquire(ShardBench.rpd(1)).close();
        bench.advance(10); // 100 a second, five times what it bears
      }

      assertThat(bench.shards()).hasSize(2);
      assertThat(caller.metrics().resized()).isEqualTo(1);
      assertThat(caller.metrics().splits()).isEqualTo(1);
      assertThat(caller.metrics().mostShards()).isEqualTo(2);
      bench.requireWhole();
      assertThat(bench.consumedMilli()).isEqualTo(60_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_stillTooHard_doublesAtMostOnceAPauseUpToTheMost(Style style) {
    ShardBench bench = new ShardBench();
    try (Caller caller = bench.caller(style)) {
      int most = 1;
      for (int i = 0; i < 900; i++) {
        caller.acquire(ShardBench.rpd(1)).close();
        bench.advance(2); // 500 a second: 16 shards of 20 do not bear it either
        int count = Objects.requireNonNull(bench.memory.snapshot(ShardBench.KEY)).shardCount();
        assertThat(count).isIn(most, 2 * most).isLessThanOrEqualTo(16);
        most = count;
      }
      // One pause after another: 1.8 seconds are enough for two doublings.
      assertThat(most).isEqualTo(4);
      bench.requireWhole();
      assertThat(bench.consumedMilli()).isEqualTo(900_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_keyHot_dividesAndIsServedAllTheSame(Style style) {
    ShardBench bench = new ShardBench();
    try (Caller caller = bench.caller(style)) {
      caller.acquire(ShardBench.rpd(1)).close();
      bench.faults.once(Calls.writes(), Fault.hotKey());

      caller.acquire(ShardBench.rpd(1)).close();

      assertThat(bench.shards().get(0).shardCount()).isEqualTo(2);
      assertThat(bench.consumedMilli()).isEqualTo(2_000);
      assertThat(caller.metrics().blocked()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_quietForLong_mergesStepByStepUntilItIsOne(Style style) {
    ShardBench bench = new ShardBench();
    try (Caller caller = bench.caller(style)) {
      caller.acquire(ShardBench.rpd(100)).close();
      bench.resize(8);
      bench.settle(caller, 8);
      long consumedMilli = bench.consumedMilli();

      for (int steps = 0; bench.shards().size() > 1 && steps < 1_000; steps++) {
        bench.advance(1_000);
        caller.acquire(ShardBench.rpd(1)).cancel();
        bench.requireWhole();
        assertThat(bench.consumedMilli()).isEqualTo(consumedMilli);
      }

      assertThat(bench.shards()).hasSize(1);
      assertThat(caller.metrics().resized()).isEqualTo(3);
      assertThat(caller.metrics().merges()).isEqualTo(7);
      assertThat(bench.shards().get(0).expiresAtSeconds())
          .as("one that is whole again may be forgotten again")
          .isNotEqualTo(BucketState.NEVER);
    }
  }

  @Test
  void divided_neverExpires() {
    ShardBench bench = new ShardBench();
    try (Caller caller = bench.caller(Style.BLOCKING)) {
      caller.acquire(ShardBench.rpd(1)).close();
      bench.resize(4);
      bench.settle(caller, 4);
      for (int i = 0; i < 40; i++) {
        caller.acquire(ShardBench.rpd(1)).cancel();
      }

      assertThat(bench.shards())
          .hasSize(4)
          .allMatch(shard -> shard.expiresAtSeconds() == BucketState.NEVER);
    }
  }

  /** The original's counter was never refilled, so every bucket was divided in the end. */
  @Test
  void acquire_100000At40ASecond_neverDivides() {
    ManualClock clock = new ManualClock(ShardBench.START_MS);
    InMemoryStore memory = new InMemoryStore();
    AcquireRequest request =
        AcquireRequest.of("hot", "gpt-4").limits(Limit.perSecond("rps", 1_000)).consume("rps", 1);
    try (Caller caller =
        Style.BLOCKING.caller(memory, LimiterOptions.builder().time(clock).build())) {
      for (int i = 0; i < 100_000; i++) {
        caller.acquire(request).close();
        clock.advance(Duration.ofMillis(25));
      }

      assertThat(caller.metrics().admitted()).isEqualTo(100_000);
      assertThat(caller.metrics().resized()).isZero();
      assertThat(memory.size()).isEqualTo(1);
      BucketState state = Objects.requireNonNull(memory.snapshot(ShardBench.KEY));
      assertThat(state.shardCount()).isEqualTo(1);
      assertThat(state.wcuMilli()).as("refilled like any limit").isGreaterThan(990_000);
    }
  }
}
