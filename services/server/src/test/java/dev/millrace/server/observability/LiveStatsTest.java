package dev.millrace.server.observability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.live.LiveSnapshot;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is shown of the last minutes, and that it stays small. */
class LiveStatsTest {
  private static final long NOW_MS = 1_700_000_040_000L;

  @Test
  void top_oneLargeAmongThousands_isFoundAndNearlyExact() {
    TopTalkers talkers = new TopTalkers();
    for (int i = 0; i < 5_000; i++) {
      talkers.add(new TopTalkers.Key("ns", "small-" + i, "api"), 1, NOW_MS);
      talkers.add(new TopTalkers.Key("ns", "large", "api"), 3, NOW_MS);
    }
    LiveSnapshot.Top first = talkers.top(1, NOW_MS).get(0);
    assertThat(first.entity()).isEqualTo("large");
    // The law of the sketch: never too small, too large by at most all / counted.
    assertThat(first.amount()).isBetween(15_000L, 15_000L + 20_000 / TopTalkers.COUNTED);
  }

  @Test
  void top_twoMinutesLater_hasForgotten() {
    TopTalkers talkers = new TopTalkers();
    talkers.add(new TopTalkers.Key("ns", "e", "api"), 1, NOW_MS);
    assertThat(talkers.top(10, NOW_MS + 60_000)).hasSize(1);
    assertThat(talkers.top(10, NOW_MS + 120_000)).isEmpty();
  }

  @Test
  void seconds_untilNow_haveQuietOnesAndForgetOldOnes() {
    RecentSeconds seconds = new RecentSeconds();
    seconds.add(1_000, true);
    seconds.add(1_000 + RecentSeconds.KEPT, false);
    assertThat(seconds.until(1_000 + RecentSeconds.KEPT))
        .hasSize(RecentSeconds.KEPT)
        .endsWith(new LiveSnapshot.Second(1_000 + RecentSeconds.KEPT, 0, 1))
        .startsWith(new LiveSnapshot.Second(1_001, 0, 0));
  }

  @Test
  void latency_ofTheLastSeconds_hasPercentiles() {
    RecentLatency latency = new RecentLatency();
    for (int i = 1; i <= 100; i++) {
      latency.add(1_000, TimeUnit.MILLISECONDS.toNanos(i));
    }
    assertThat(latency.percentileMs(50, 1_005)).isBetween(49.0, 51.0);
    assertThat(latency.percentileMs(99, 1_005)).isBetween(98.0, 100.0);
    assertThat(latency.percentileMs(50, 1_000 + RecentLatency.KEPT)).isZero();
  }
}
