package dev.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigStamp;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GoneLimitsTest {
  private static final BucketKey KEY = BucketKey.first("default", "key", "chat");

  private final GoneLimits gone = new GoneLimits();

  @Test
  void isGone_limitThatIsThere_isFalse() {
    wrote(10, "rpm", "tpm");

    assertThat(gone.isGone(KEY, "tpm", 0)).isFalse();
  }

  @Test
  void isGone_limitThatNeverWas_isFalse() {
    wrote(10, "rpm");

    assertThat(gone.isGone(KEY, "tpm", 0)).isFalse();
  }

  @Test
  void isGone_limitWasTakenOut_isTrue() {
    wrote(10, "rpm", "tpm");
    wrote(20, "rpm");

    assertThat(gone.isGone(KEY, "tpm", 30)).isTrue();
    assertThat(gone.isGone(KEY, "rpm", 0)).isFalse();
  }

  @Test
  void isGone_limitCameBack_isTrueForWhoeverBeganBefore() {
    wrote(10, "rpm", "tpm");
    wrote(20, "rpm");
    wrote(30, "rpm", "tpm");
    wrote(40, "rpm", "tpm");

    assertThat(gone.isGone(KEY, "tpm", 30)).isTrue();
    assertThat(gone.isGone(KEY, "tpm", 31)).isFalse();
  }

  /** As long as there is no bucket, a charge makes one with its limits. */
  @Test
  void isGone_bucketExpired_isFalse() {
    wrote(10, "rpm", "tpm");
    gone.wrote(KEY, null, 20);

    assertThat(gone.isGone(KEY, "tpm", 0)).isFalse();
  }

  @Test
  void isGone_bucketWasMadeAnewWithoutTheLimit_isTrue() {
    wrote(10, "rpm", "tpm");
    gone.wrote(KEY, null, 20);
    wrote(30, "rpm");

    assertThat(gone.isGone(KEY, "tpm", 30)).isTrue();
  }

  @Test
  void isGone_oneShardIsWithout_isTrueWhateverOthersHave() {
    wroteShard(0, 10, "rpm", "tpm");
    wroteShard(1, 10, "rpm", "tpm");
    wroteShard(1, 20, "rpm");
    wroteShard(0, 30, "rpm", "tpm");

    assertThat(gone.isGone(KEY, "tpm", 40)).isTrue();
    gone.wrote(KEY.withShard(1), null, 50);
    assertThat(gone.isGone(KEY, "tpm", 50)).isTrue();
    assertThat(gone.isGone(KEY, "tpm", 51)).isFalse();
  }

  private void wrote(long nowNanos, String... limits) {
    gone.wrote(KEY, new BucketState(KEY, 0, states(limits), 0, "op"), nowNanos);
  }

  private void wroteShard(int shard, long nowNanos, String... limits) {
    gone.wrote(
        KEY.withShard(shard),
        new BucketState(
            KEY.withShard(shard),
            0,
            states(limits),
            Division.of(2, 2),
            0,
            BucketState.NEVER,
            "op",
            ConfigStamp.CALL),
        nowNanos);
  }

  private static List<LimitState> states(String... limits) {
    return Stream.of(limits).map(name -> new LimitState(Limit.perMinute(name, 10), 0, 0)).toList();
  }
}
