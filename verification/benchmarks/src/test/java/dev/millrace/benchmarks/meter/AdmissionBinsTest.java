package dev.millrace.benchmarks.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AdmissionBinsTest {
  private static final long MS = 1_000_000;

  @Test
  void add_times_countsInTheirBins() {
    AdmissionBins bins = new AdmissionBins(7 * MS, MS, 4, 1);
    bins.add(7 * MS);
    bins.add(8 * MS - 1);
    bins.add(8 * MS);
    bins.add(10 * MS);
    assertThat(bins.counts()).containsExactly(2, 1, 0, 1);
  }

  @Test
  void add_outsideOfTheBins_losesNothing() {
    AdmissionBins bins = new AdmissionBins(7 * MS, MS, 3, 1);
    bins.add(0);
    bins.add(1_000 * MS);
    assertThat(bins.counts()).containsExactly(1, 0, 1);
  }

  @Test
  void add_manyThreads_losesNothing() throws InterruptedException {
    AdmissionBins bins = new AdmissionBins(0, MS, 2, 4);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int k = 0; k < 10_000; k++) {
                  bins.add(MS);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(bins.counts()).containsExactly(0, 80_000);
  }

  @Test
  void new_stripesNotAPowerOfTwo_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new AdmissionBins(0, MS, 2, 3));
  }
}
