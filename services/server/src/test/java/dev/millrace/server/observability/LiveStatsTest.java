package dev.millrace.server.observability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The live statistics of the last minutes, and their bounds. */
class LiveStatsTest {
  private static final long NOW_MS = 1_700_000_040_000L;

  @Test
  void top_oneLargeAmongThousands_isFoundAndNearlyExact() {
    LargestBuckets talkers = new LargestBuckets();
    for (int i = 0; i < 5_000; i++) {
      talkers.add(new LargestBuckets.Key("ns", "small-" + i, "api"), 1, NOW_MS);
      talkers.add(new LargestBuckets.Key("ns", "large", "api"), 3, NOW_MS);
    }
    LiveSnapshot.Top first = talkers.top(1, NOW_MS).get(0);
    assertThat(first.entity()).isEqualTo("large");
    // The law of the sketch: never too small, too large by at most all / counted.
    assertThat(first.amount()).isBetween(15_000L, 15_000L + 20_000 / LargestBuckets.COUNTED);
  }

  @Test
  void top_twoMinutesLater_hasForgotten() {
    LargestBuckets talkers = new LargestBuckets();
    talkers.add(new LargestBuckets.Key("ns", "e", "api"), 1, NOW_MS);
    assertThat(talkers.top(10, NOW_MS + 60_000)).hasSize(1);
    assertThat(talkers.top(10, NOW_MS + 120_000)).isEmpty();
  }

  @Test
  void seconds_untilNow_haveQuietOnesAndForgetOldOnes() {
    RecentRequests seconds = new RecentRequests();
    seconds.count(1_000, true);
    seconds.count(1_000 + RecentRequests.KEPT, false);
    assertThat(seconds.until(1_000 + RecentRequests.KEPT))
        .hasSize(RecentRequests.KEPT)
        .endsWith(new LiveSnapshot.Second(1_000 + RecentRequests.KEPT, 0, 1))
        .startsWith(new LiveSnapshot.Second(1_001, 0, 0));
  }

  @Test
  void latency_ofTheLastSeconds_hasPercentiles() {
    RecentRequests latency = new RecentRequests();
    for (int i = 1; i <= 100; i++) {
      latency.took(1_000, TimeUnit.MILLISECONDS.toNanos(i));
    }
    assertThat(latency.percentileMs(50, 1_005)).isBetween(49.0, 51.0);
    assertThat(latency.percentileMs(99, 1_005)).isBetween(98.0, 100.0);
    assertThat(latency.percentileMs(50, 1_000 + RecentRequests.LATENCIES_KEPT)).isZero();
  }
}
