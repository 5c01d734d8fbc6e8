package dev.millrace.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class GrowthTest {
  /** Doubles every second until there are 16 shards, each of which bears 500. */
  private static Growth growth(int seconds) {
    return new Growth(
        IntStream.rangeClosed(1, seconds)
            .mapToObj(
                i -> {
                  int shards = Math.min(16, 1 << (i - 1));
                  int throttled = Math.max(0, 8_000 - 500 * shards);
                  return new Growth.Second(
                      i, 500L * shards, throttled, /* writes= */ 8_000, throttled, shards);
                })
            .toList());
  }

  @Test
  void grown_longRun_isItsLastTenSeconds() {
    assertThat(growth(40).grown().seconds())
        .extracting(Growth.Second::second)
        .containsExactly(31, 32, 33, 34, 35, 36, 37, 38, 39, 40);
  }

  @Test
  void grown_shortRun_isItsSecondHalf() {
    assertThat(growth(5).grown().seconds())
        .extracting(Growth.Second::second)
        .containsExactly(3, 4, 5);
  }

  @Test
  void throttledShare_ofAllAndOfTheGrown_differ() {
    Growth growth = growth(14);
    assertThat(growth.throttledShare()).isCloseTo(24_500 / 112_000.0, within(1e-9));
    assertThat(growth.grown().throttledShare()).isZero();
    assertThat(growth.grown().admittedPerSecond()).isEqualTo(8_000);
  }

  @Test
  void firstWith_reachedOrNot_isTheSecondOrOneMoreThanThereAre() {
    assertThat(growth(10).firstWith(4_000)).isEqualTo(4);
    assertThat(growth(10).firstWith(8_001)).isEqualTo(11);
  }

  @Test
  void maxShards_grownAndMerged_isTheMost() {
    Growth merged =
        new Growth(
            List.of(new Growth.Second(1, 1, 0, 1, 0, 4), new Growth.Second(2, 1, 0, 1, 0, 2)));
    assertThat(merged.maxShards()).isEqualTo(4);
  }

  @Test
  void figures_ofNothing_areNone() {
    Growth none = new Growth(List.of());
    assertThat(none.grown().admittedPerSecond()).isZero();
    assertThat(none.throttledShare()).isZero();
    assertThat(none.maxShards()).isEqualTo(1);
  }
}
