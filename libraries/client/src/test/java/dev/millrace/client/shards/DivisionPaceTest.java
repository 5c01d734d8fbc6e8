package dev.millrace.client.shards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.Sharding;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.FaultyStore;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many buckets one process divides at most, and how soon a division by mistake is undone. */
class DivisionPaceTest {
  private static final long SEED = 1;
  private static final int HOT_BUCKETS = 300;
  private static final int MOST_IN_A_SECOND = 64;

  @ParameterizedTest
  @EnumSource
  void acquire_manyKeysHotAtOnce_dividesAFewEachSecond(Style style) {
    ManualClock clock = new ManualClock(ShardBench.START_MS);
    InMemoryStore memory = new InMemoryStore();
    FaultyStore faults = FaultyStore.over(memory, memory);
    try (Caller caller = style.caller(faults, LimiterOptions.builder().time(clock).build())) {
      for (int bucket = 0; bucket < HOT_BUCKETS; bucket++) {
        caller.acquire(request(bucket)).close();
      }
      for (int bucket = 0; bucket < HOT_BUCKETS; bucket++) {
        faults.once(Calls.writes(), Fault.hotKey());
        try {
          caller.acquire(request(bucket)).close();
        } catch (LimiterUnavailableException e) {
          // Its key was hot, and the division that would help is left to later.
        }
      }

      assertThat(caller.metrics().resized() + caller.metrics().splits())
          .isPositive()
          .isLessThanOrEqualTo(MOST_IN_A_SECOND);
      assertThat(caller.metrics().divisionsPostponed()).isPositive();
    }
  }

  private static AcquireRequest request(int bucket) {
    return AcquireRequest.of("key-" + bucket, "gpt-4")
        .limits(Limit.perMinute("rpm", 600))
        .consume("rpm", 1);
  }

  /** Half an hour it would be if every halving waited as long as the first. */
  @ParameterizedTest
  @EnumSource
  void acquire_dividedByMistake_isWholeAgainWithinMinutes(Style style) {
    ShardBench bench = new ShardBench();
    // Which shard a request picks is chance, and a shard is merged when it is picked.
    LimiterOptions.Builder options =
        bench.options().sharding(Sharding.DEFAULT).random(new Random(SEED));
    try (Caller caller = bench.caller(style, options)) {
      caller.acquire(ShardBench.rpd(100)).close();
      bench.resize(Sharding.MAX_SHARDS);
      bench.settle(caller, Sharding.MAX_SHARDS);

      for (int second = 0; second < 600; second++) {
        bench.advance(1_000);
        caller.acquire(ShardBench.rpd(1)).cancel();
      }

      assertThat(bench.shards()).hasSize(1);
      bench.requireWhole();
    }
  }
}
