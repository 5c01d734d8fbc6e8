package dev.millrace.core.spi.bucket;

import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlanner;
import dev.millrace.core.testing.PureStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one partition of the store bears. */
class WriteUnitsTest {
  private static final WriteUnits UNITS = WriteUnits.DYNAMODB;
  private static final Limit RPM = Limit.perMinute("rpm", 60);

  @Test
  void creditMilli_aSecond_returnsAThousand() {
    assertThat(UNITS.creditMilli(-500_000, T, T + 1_000)).isEqualTo(1_000_000);
    assertThat(UNITS.creditMilli(0, T, T + 1)).isEqualTo(1_000);
  }

  @Test
  void creditMilli_longAgo_isClippedAtFull() {
    assertThat(UNITS.creditMilli(999_000, T, T + 1_000)).isEqualTo(1_000);
    assertThat(UNITS.creditMilli(1_000_000, T, T + 1_000)).isZero();
    assertThat(UNITS.creditMilli(1_200_000, T, T + 1_000))
        .as("of days when it was said to bear more")
        .isEqualTo(-200_000);
    assertThat(UNITS.creditMilli(Long.MIN_VALUE, 0, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void creditMilli_clockBehind_earnsNothing() {
    assertThat(UNITS.creditMilli(0, T, T - 5)).isZero();
  }

  @Test
  void isSpent_onlyBelowZeroWithWhatWasEarnedSince() {
    assertThat(UNITS.isSpent(spending(0), T)).isFalse();
    assertThat(UNITS.isSpent(spending(-1), T)).isTrue();
    assertThat(UNITS.isSpent(spending(-1_000), T)).isTrue();
    assertThat(UNITS.isSpent(spending(-1_000), T + 1)).isFalse();
    assertThat(UNITS.isSpent(spending(-1_001), T + 1)).isTrue();
  }

  /** Sixty years of an idle bucket's credit must not hide what is written now. */
  @Test
  void isSpent_oldBucket_isAsFullAsANewOne() {
    BucketState idle = new BucketState(KEY, 0, bucket(0, holds(RPM, 10)).limits(), 0, "op");

    assertThat(UNITS.isSpent(idle.withWcuMilli(-1_000_000), T)).isFalse();
    assertThat(UNITS.creditMilli(-1_000_000, 0, T)).isEqualTo(2_000_000);
  }

  @Test
  void isSpent_fortyWritesASecond_never() {
    BucketState state = bucket(T, holds(RPM, 60));
    for (int write = 1; write <= 100_000; write++) {
      long nowMs = T + write * 25L;
      state = written(state, nowMs);
      assertThat(UNITS.isSpent(state, nowMs)).isFalse();
    }
    assertThat(state.wcuMilli()).isEqualTo(999_000);
  }

  @Test
  void isSpent_elevenHundredWritesASecond_withinAboutTenSeconds() {
    BucketState state = bucket(T, holds(RPM, 60));
    long nowMs = T;
    for (int write = 1; !UNITS.isSpent(state, nowMs) && write < 100_000; write++) {
      nowMs = T + write * 10L / 11;
      state = written(state, nowMs);
    }
    assertThat(nowMs - T).isBetween(9_000L, 11_000L);
  }

  /** Writes that do not claim are debited as well, and the next claim returns what was earned. */
  @Test
  void isSpent_writesWithoutAClaim_areCounted() {
    BucketState state = bucket(T, holds(RPM, 60));
    for (int write = 0; write < 1_001; write++) {
      state =
          PureStore.applied(
              state, new WritePlan.Consume(KEY, T, List.of(), 0, "op").priced(state, 1, UNITS));
    }

    assertThat(UNITS.isSpent(state, T)).isTrue();
    assertThat(UNITS.isSpent(state, T + 1)).isFalse();
    assertThat(written(state, T + 500).wcuMilli()).isEqualTo(498_000);
  }

  /** A claim at {@code nowMs} that costs one unit. */
  private static BucketState written(BucketState state, long nowMs) {
    BucketView projection =
        BucketView.of(state, LimitSet.of(RPM), nowMs, PlanSettings.DEFAULT.maxSkewMs());
    WritePlan plan = WritePlanner.locked(projection, /* contended= */ false, "op");
    return PureStore.applied(state, plan.priced(state, 1, UNITS));
  }

  private static BucketState spending(long wcuMilli) {
    return bucket(T, holds(RPM, 60)).withWcuMilli(wcuMilli);
  }

  @Test
  void of_outOfRange_isRefused() {
    assertThatThrownBy(() -> new WriteUnits(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("write units a second 0 must be from 1 to 1000000");
    assertThatThrownBy(() -> new WriteUnits(1_000_001))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(WriteUnits.costMilli(3)).isEqualTo(-3_000);
  }
}
