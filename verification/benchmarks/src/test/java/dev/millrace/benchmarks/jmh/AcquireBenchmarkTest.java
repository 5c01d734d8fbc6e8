package dev.millrace.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Acquisition;
import org.junit.jupiter.api.Test;

final class AcquireBenchmarkTest {
  private final AcquireBenchmark benchmark = new AcquireBenchmark();

  @Test
  void acquire_againAndAgain_isGrantedAtOnce() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(benchmark.acquireAlone().toCompletableFuture())
          .isCompletedWithValueMatching(Acquisition.Granted.class::isInstance);
      assertThat(benchmark.acquireWithThreeAncestors().toCompletableFuture())
          .isCompletedWithValueMatching(Acquisition.Granted.class::isInstance);
    }
    assertThat(benchmark.buckets()).isEqualTo(4);
  }
}
