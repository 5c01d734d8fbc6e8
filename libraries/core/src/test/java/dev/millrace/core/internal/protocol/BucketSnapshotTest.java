package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.PlanSettings;
import org.junit.jupiter.api.Test;

class BucketSnapshotTest {
  private static final BucketState STATE = bucket(T, holds(RPM, 10));
  private static final long SKEW_MS = PlanSettings.DEFAULT.maxSkewMs();

  @Test
  void isTrusted_withinASecondEitherWay_isTrue() {
    BucketSnapshot snapshot = BucketSnapshot.of(STATE, T);

    assertThat(snapshot.isTrusted(T + 999)).isTrue();
    assertThat(snapshot.isTrusted(T + 1_000)).isFalse();
    assertThat(snapshot.isTrusted(T - 999)).isTrue();
    assertThat(snapshot.isTrusted(T - 1_000)).isFalse();
  }

  @Test
  void isContended_firstSighting_isFalse() {
    assertThat(BucketSnapshot.of(STATE, T).isContended(T)).isFalse();
    assertThat(BucketSnapshot.of(STATE, T).isContended(Long.MIN_VALUE)).isFalse();
  }

  @Test
  void isContended_afterSomebodyElsesWrite_lastsTenSeconds() {
    BucketSnapshot snapshot = BucketSnapshot.of(STATE, T).contendedNext(STATE, T + 10, 80);

    assertThat(snapshot.isContended(T + 10_009)).isTrue();
    assertThat(snapshot.isContended(T + 10_010)).isFalse();
    assertThat(snapshot.next(STATE, T + 500).contendedUntilMs()).isEqualTo(T + 10_010);
  }

  @Test
  void contendedNext_claimWithinTheWindow_isLively() {
    assertThat(BucketSnapshot.of(STATE, T).lively()).isFalse();
    assertThat(BucketSnapshot.of(STATE, T).contendedNext(STATE, T + 80, 80).lively()).isTrue();
    assertThat(BucketSnapshot.of(STATE, T).contendedNext(STATE, T + 81, 80).lively()).isFalse();
  }

  @Test
  void later_timestampsDiffer_isTheOneClaimedLater() {
    BucketSnapshot early = new BucketSnapshot(STATE, T + 100, T + 5_000, /* lively= */ true);
    BucketSnapshot late = BucketSnapshot.of(bucket(T + 1, holds(RPM, 1)), T + 50);

    BucketSnapshot expected =
        new BucketSnapshot(late.state(), T + 50, T + 5_000, /* lively= */ false);
    assertThat(BucketSnapshot.later(early, late, SKEW_MS)).isEqualTo(expected);
    assertThat(BucketSnapshot.later(late, early, SKEW_MS)).isEqualTo(expected);
  }

  @Test
  void later_timestampsEqual_isTheOneSeenLater() {
    BucketSnapshot early = BucketSnapshot.of(STATE, T + 50);
    BucketSnapshot late = BucketSnapshot.of(bucket(T, holds(RPM, 1)), T + 100);

    assertThat(BucketSnapshot.later(early, late, SKEW_MS)).isSameAs(late);
    assertThat(BucketSnapshot.later(late, early, SKEW_MS)).isSameAs(late);
  }

  @Test
  void later_oneWasWild_isTheOneSeenLater() {
    BucketSnapshot wild = BucketSnapshot.of(bucket(T + 3_600_000, holds(RPM, 10)), T + 100);
    BucketSnapshot healed = BucketSnapshot.of(bucket(T + 110, holds(RPM, 9)), T + 120);

    assertThat(BucketSnapshot.later(wild, healed, SKEW_MS)).isSameAs(healed);
    assertThat(BucketSnapshot.later(healed, wild, SKEW_MS)).isSameAs(healed);
  }

  /**
   * A limiter that believes less skew heals earlier, and must know the healed one for the later.
   */
  @Test
  void later_wildByTheConfiguredSkewOnly_isTheOneSeenLater() {
    BucketSnapshot wild = BucketSnapshot.of(bucket(T + 700, holds(RPM, 10)), T + 100);
    BucketSnapshot healed = BucketSnapshot.of(bucket(T + 110, holds(RPM, 9)), T + 120);

    assertThat(BucketSnapshot.later(wild, healed, 500)).isSameAs(healed);
    assertThat(BucketSnapshot.later(healed, wild, 500)).isSameAs(healed);
    assertThat(BucketSnapshot.later(healed, wild, 1_000).state()).isEqualTo(wild.state());
  }
}
