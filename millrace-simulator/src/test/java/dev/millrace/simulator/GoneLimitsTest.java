package dev.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.limit.Limit;
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

  private void wrote(long nowNanos, String... limits) {
    List<LimitState> states =
        Stream.of(limits).map(name -> new LimitState(Limit.perMinute(name, 10), 0, 0)).toList();
    gone.wrote(KEY, new BucketState(KEY, 0, states, 0, "op"), nowNanos);
  }
}
