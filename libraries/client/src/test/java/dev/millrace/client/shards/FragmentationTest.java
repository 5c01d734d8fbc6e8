package dev.millrace.client.shards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.testkit.internal.generator.Seeds;
import org.junit.jupiter.api.Test;

/** What is refused because tokens lie in many small heaps. */
class FragmentationTest {
  private static final Limit RPS = Limit.perSecond("rps", 1_000);
  private static final int SHARDS = 16;
  private static final int REQUESTS = 10_000;

  private static AcquireRequest rps(long amount) {
    return AcquireRequest.of("hot", "gpt-4").limits(RPS).consume("rps", amount);
  }

  private static Caller caller(ShardBench bench) {
    return bench.caller(Style.BLOCKING, bench.options().partitionWriteUnits(1_000));
  }

  /** The same requests at the same time, of a divided bucket and of one that is not. */
  @Test
  void tryAcquire_95PercentOfTheLimit_isHardlyEverRefusedForIt() {
    Seeds.forEach(
        3,
        (random, seed) -> {
          ShardBench divided = new ShardBench();
          ShardBench whole = new ShardBench();
          int served = 0;
          int refusedForIt = 0;
          try (Caller ofDivided = caller(divided);
              Caller ofWhole = caller(whole)) {
            ofDivided.acquire(rps(1)).cancel();
            divided.resize(SHARDS);
            for (int i = 0; divided.shards().size() < SHARDS && i < 1_000; i++) {
              divided.advance(60);
              ofDivided.acquire(rps(1)).cancel();
            }
            assertThat(divided.shards()).hasSize(SHARDS);
            whole.advance(divided.clock.nowMs() - whole.clock.nowMs());
            ofDivided.acquire(rps(1_000)).close();
            ofWhole.acquire(rps(1_000)).close();
            for (int i = 0; i < REQUESTS; i++) {
              if (random.nextInt(1_000) >= 50) { // 950 a second on average, a token each
                boolean could = ofWhole.tryAcquire(rps(1)).isGranted();
                boolean was = ofDivided.tryAcquire(rps(1)).isGranted();
                served += could ? 1 : 0;
                refusedForIt += could && !was ? 1 : 0;
              }
              divided.advance(1);
              whole.advance(1);
            }
          }
          assertThat(served).isGreaterThan(REQUESTS * 9 / 10);
          assertThat((double) refusedForIt / served).isLessThan(0.01);
        });
  }

  @Test
  void tryAcquire_halfTheCapacity_isServedWhateverTheShards() {
    ShardBench bench = new ShardBench();
    try (Caller caller = caller(bench)) {
      caller.acquire(rps(1)).cancel();
      bench.resize(SHARDS);
      for (int i = 0; bench.shards().size() < SHARDS && i < 1_000; i++) {
        bench.advance(60);
        caller.acquire(rps(1)).cancel();
      }
      bench.advance(2_000);

      assertThat(caller.tryAcquire(rps(500)).isGranted()).isTrue();
      assertThat(caller.tryAcquire(rps(500)).isGranted()).isTrue();
      assertThat(caller.tryAcquire(rps(500)).isGranted()).isFalse();
      bench.advance(500);
      assertThat(caller.tryAcquire(rps(500)).isGranted()).isTrue();
    }
  }
}
