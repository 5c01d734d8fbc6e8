package dev.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigStamp;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A limit earns a millitoken a millisecond, each of two shards every other one. */
class LowsTest {
  private static final BucketKey KEY = BucketKey.first("test", "key", "chat");
  private static final Limit RPM = Limit.perMinute("rpm", 60);
  private static final long T = 1_700_000_000_000L;

  private final Lows lows = new Lows();

  private static BucketState shard(int shard, long atMs, long tokensMilli) {
    return new BucketState(
        KEY.withShard(shard),
        atMs,
        List.of(new LimitState(RPM, tokensMilli, 0)),
        Division.of(2, 2),
        0,
        BucketState.NEVER,
        "op",
        ConfigStamp.CALL);
  }

  @Test
  void waitMs_severalStates_isOfTheLowestOfEachShard() {
    lows.saw(shard(0, T, 1_000));
    lows.saw(shard(0, T + 100, 500));
    lows.saw(shard(0, T + 200, 2_000));
    lows.saw(shard(1, T, 3_000));
    lows.saw(shard(1, T + 50, 100));

    // 450 and 75 are what the lowest had at T.
    assertThat(lows.waitMs(KEY, "rpm", 2_525, T)).isEqualTo(2_000);
  }

  @Test
  void waitMs_laterStateThatOnlyEarned_isNoHigher() {
    lows.saw(shard(0, T, 1_000));
    lows.saw(shard(0, T + 100, 1_050));
    lows.saw(shard(1, T, 1_000));

    assertThat(lows.waitMs(KEY, "rpm", 2_000, T)).isZero();
    assertThat(lows.waitMs(KEY, "rpm", 2_001, T)).isPositive();
  }

  @Test
  void waitMs_nothingSeen_isNone() {
    assertThat(lows.waitMs(KEY, "rpm", 1, T)).isZero();
  }
}
