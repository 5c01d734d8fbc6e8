package dev.millrace.benchmarks.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class WorstWindowTest {
  @Test
  void ratio_nothingAdmitted_isZero() {
    assertThat(WorstWindow.ratio(new long[100], 10, 1)).isZero();
    assertThat(WorstWindow.ratio(new long[0], 10, 1)).isZero();
  }

  @Test
  void ratio_exactFit_isOne() {
    // 10 at once and 1 a bin: 11 in the first bin, then one in each.
    long[] counts = new long[1_000];
    java.util.Arrays.fill(counts, 1);
    counts[0] = 11;
    assertThat(WorstWindow.ratio(counts, 10, 1)).isEqualTo(1.0);
  }

  @Test
  void ratio_oneTooMany_isAboveOne() {
    long[] counts = new long[1_000];
    java.util.Arrays.fill(counts, 1);
    counts[0] = 11;
    counts[999] = 2;
    assertThat(WorstWindow.ratio(counts, 10, 1)).isCloseTo(1_011.0 / 1_010, within(1e-12));
  }

  @Test
  void ratio_burstAfterQuietTime_isFoundInTheMiddle() {
    long[] counts = new long[10_000];
    counts[5_000] = 15;
    counts[5_001] = 9;
    assertThat(WorstWindow.ratio(counts, 10, 1)).isCloseTo(24.0 / 12, within(1e-12));
  }

  @Test
  void ratio_greatestSumIsNotTheWorst_findsTheWorst() {
    // Over all bins most is admitted, and all of it allowed; the short peak is too much.
    long[] counts = new long[2_000];
    java.util.Arrays.fill(counts, 0, 1_000, 1);
    counts[1_500] = 22;
    assertThat(WorstWindow.ratio(counts, 10, 1)).isCloseTo(22.0 / 11, within(1e-12));
  }

  @Test
  void ratio_slowExcess_isFoundOverTheWholeLength() {
    long[] counts = new long[10_000];
    java.util.Arrays.fill(counts, 2);
    assertThat(WorstWindow.ratio(counts, 10, 1)).isCloseTo(20_000.0 / 10_010, within(1e-12));
  }

  @Test
  void ratio_anyHistory_equalsTheOneFoundByTryingAllWindows() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      long[] counts = new long[1 + random.nextInt(60)];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = random.nextInt(4) == 0 ? random.nextInt(50) : random.nextInt(3);
      }
      double base = 0.5 + random.nextInt(40);
      double perBin = random.nextDouble() * 4;
      assertThat(WorstWindow.ratio(counts, base, perBin))
          .as("seed %d", seed)
          .isCloseTo(ofAllWindows(counts, base, perBin), within(1e-12));
    }
  }

  private static double ofAllWindows(long[] counts, double base, double perBin) {
    double worst = 0;
    for (int from = 0; from < counts.length; from++) {
      long sum = 0;
      for (int to = from; to < counts.length; to++) {
        sum += counts[to];
        worst = Math.max(worst, sum / (base + (to - from + 1) * perBin));
      }
    }
    return worst;
  }
}
