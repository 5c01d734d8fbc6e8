package dev.millrace.client.shards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimiterMetrics;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.FaultyStore;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A table that is throttled as a whole is no reason to divide any bucket. */
class TableThrottlingTest {
  private static final int BUCKETS = 300;

  @ParameterizedTest
  @EnumSource
  void acquire_tableThrottled_dividesNoBucketAndWritesNoMore(Style style) {
    ManualClock clock = new ManualClock(ShardBench.START_MS);
    InMemoryStore memory = new InMemoryStore();
    FaultyStore faults = FaultyStore.over(memory, memory);
    Random chance = new Random(18);
    boolean[] throttles = {true};
    faults.always(call -> throttles[0] && chance.nextInt(100) < 30, Fault.throttle());
    try (Caller caller = style.caller(faults, LimiterOptions.builder().time(clock).build())) {
      int served = ask(caller, clock, 60);
      LimiterMetrics during = caller.metrics();
      throttles[0] = false;
      int servedAfter = ask(caller, clock, 20);
      LimiterMetrics after = caller.metrics();

      assertThat(memory.size()).as("items").isLessThanOrEqualTo(330);
      assertThat(during.writeUnits() / served).as("write units per request").isLessThan(1.6);
      assertThat(during.throttled()).isPositive();
      assertThat(during.hotKeys()).isZero();
      assertThat(during.resized()).isZero();
      assertThat(servedAfter).isEqualTo(20 * BUCKETS);
      assertThat((after.writeUnits() - during.writeUnits()) / servedAfter)
          .as("write units per request afterwards")
          .isEqualTo(1.0);
    }
  }

  private static int ask(Caller caller, ManualClock clock, int seconds) {
    int served = 0;
    for (int second = 0; second < seconds; second++) {
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        try {
          caller
              .acquire(
                  AcquireRequest.of("key-" + bucket, "gpt-4")
                      .limits(Limit.perMinute("rpm", 600))
                      .consume("rpm", 1))
              .close();
          served++;
        } catch (LimiterUnavailableException e) {
          // A request that the table turned away to the last: it has cost nothing.
        }
      }
      clock.advance(Duration.ofSeconds(1));
    }
    return served;
  }
}
